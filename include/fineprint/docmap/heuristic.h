// Makes document maps without a model, from what a document says about its own structure.
#pragma once

#include <functional>
#include <vector>

#include "fineprint/core/document.h"
#include "fineprint/docmap/document_map.h"
#include "fineprint/store/store.h"

namespace fineprint::docmap {

// The `model` of such a map, and its maker. The maker's number must be raised whenever a document
// would get a different map, so that stored maps are made again.
inline constexpr std::string_view kHeuristic = "heuristic";
inline constexpr std::string_view kHeuristicMaker = "heuristic 2";

// Returns the map of a document.
// - Sections are the bookmarks that lead to pages, in their order. If there are none, they are the
//   headings; headings of one size have one level. A heading that is alone on page 1 at the largest
//   size is the document's title and no section. A heading that repeats that of its section is
//   ignored.
// - A section ends before the page that begins with the next section's heading, or otherwise on the
//   page where the next section begins.
// - The summary of a page is the first sentence that is more than a label (a single line that ends
//   no sentence), otherwise its first label.
// - Elements are the figures and tables of the pages' layout that are at least 40 points wide and
//   high, named by their captions. `page` must return each page, from 1 to the document's page
//   count; it is called once for each.
DocumentMap heuristic_map(const store::DocumentRow& document,
                          const std::vector<OutlineEntry>& bookmarks,
                          const std::function<Page(int number)>& page);

}  // namespace fineprint::docmap
