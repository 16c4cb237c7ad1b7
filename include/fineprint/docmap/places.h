// Places of a document by the names that people and models give them.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fineprint/docmap/document_map.h"

namespace fineprint::docmap {

// The pages that "Page 7", "page ii" or "Page A-3" means: first those with this printed label, then
// the one of this number, which may be Roman; each once, from 1 to the document's page count. None
// for another form. `labels`: those of pages 1, 2, ..., empty where none is printed.
std::vector<int> pages_named(const DocumentMap& map, std::span<const std::string> labels,
                             std::string_view name);

// The elements that "Table III" or "Fig. 2" means, as places in `map.elements`, by page. Charts
// answer to "Figure" and to "Chart", whichever their caption says.
std::vector<std::size_t> elements_named(const DocumentMap& map, std::string_view name);

}  // namespace fineprint::docmap
