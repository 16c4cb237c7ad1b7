// A map in the words of prompts.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "fineprint/docmap/document_map.h"

namespace fineprint::pipelines::dmap {

// "3.1 Scope <-> pages 7-8", a section a line; levels are left out from the deepest up, and then
// the last lines, until it is at most so many bytes long.
std::string outline_text(const docmap::DocumentMap& map, std::size_t most_bytes);

// "Page 7:" and behind it, quoted, the page's summary and those of its elements, for each of these
// pages (numbers from 1). Over so many bytes each page has an equal share of them, and the last
// pages are left out.
std::string summaries_text(const docmap::DocumentMap& map, std::span<const int> pages,
                           std::size_t most_bytes);
// Whether the summaries of all pages fit.
bool summaries_fit(const docmap::DocumentMap& map, std::size_t most_bytes);

// The pages of the sections with these numbers, ascending.
std::vector<int> pages_of_sections(const docmap::DocumentMap& map,
                                   std::span<const std::string> numbers);
std::vector<int> all_pages(const docmap::DocumentMap& map);

}  // namespace fineprint::pipelines::dmap
