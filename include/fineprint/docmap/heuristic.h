// Maps without a model: what a document says of its own structure.
#pragma once

#include <functional>
#include <vector>

#include "fineprint/core/document.h"
#include "fineprint/docmap/document_map.h"
#include "fineprint/store/store.h"

namespace fineprint::docmap {

// The model of such a map, and what made it: raised whenever a document's map would be another one.
inline constexpr std::string_view kHeuristic = "heuristic";
inline constexpr std::string_view kHeuristicMaker = "heuristic 2";

// Sections are the bookmarks that lead to pages, in the order of these; where there are none, the
// headings, those of one size being of one level. A heading that stands on page 1 alone at the
// largest size is the document's title, and one that says again what its section does is none. A
// section ends before the page that begins with the next section's heading, else on the page where
// that section begins. A page's summary is the first sentence of what is more than a label (a
// line by itself that ends no sentence), else its first label. Elements are the figures and tables
// of the pages' layout that are 40 points wide and high, named by their captions. `page` gives each
// page, from 1 to the document's page count, once.
DocumentMap heuristic_map(const store::DocumentRow& document,
                          const std::vector<OutlineEntry>& bookmarks,
                          const std::function<Page(int number)>& page);

}  // namespace fineprint::docmap
