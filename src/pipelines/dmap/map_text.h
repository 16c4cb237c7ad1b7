// Writes a document map as text for prompts.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "fineprint/docmap/document_map.h"

namespace fineprint::pipelines::dmap {

// Returns the outline, one section per line: "3.1 Scope <-> pages 7-8". If it is longer than
// `most_bytes`, levels are left out from the deepest up, and then the last lines.
std::string outline_text(const docmap::DocumentMap& map, std::size_t most_bytes);

// Returns, for each of these pages (numbers from 1), "Page 7:" followed by the quoted summaries of
// the page and its elements. If the text is longer than `most_bytes`, each page gets an equal
// share, and the last pages are left out if even that does not fit.
std::string summaries_text(const docmap::DocumentMap& map, std::span<const int> pages,
                           std::size_t most_bytes);
// Returns whether the summaries of all pages fit without a cut.
bool summaries_fit(const docmap::DocumentMap& map, std::size_t most_bytes);

// Return the pages of the sections with these numbers, ascending, and all pages of the document.
std::vector<int> pages_of_sections(const docmap::DocumentMap& map,
                                   std::span<const std::string> numbers);
std::vector<int> all_pages(const docmap::DocumentMap& map);

}  // namespace fineprint::pipelines::dmap
