// Finds places of a document by the names that people and models give them.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fineprint/docmap/document_map.h"

namespace fineprint::docmap {

// Returns the pages that "Page 7", "page ii" or "Page A-3" means: first those with this printed
// label, then the page of this number, which may be Roman. Each page is listed once; numbers are
// from 1. Returns nothing for a name of another form. `labels`: printed labels of pages 1, 2, ...,
// empty where none is printed.
std::vector<int> pages_named(const DocumentMap& map, std::span<const std::string> labels,
                             std::string_view name);

// Returns the elements that "Table III" or "Fig. 2" means, as indices in `map.elements`, by page. A
// chart is found by "Figure" and by "Chart", whichever its caption says.
std::vector<std::size_t> elements_named(const DocumentMap& map, std::string_view name);

}  // namespace fineprint::docmap
