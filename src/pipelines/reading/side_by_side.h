// Text and pictures of pages, ranked side by side.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fineprint/core/records.h"
#include "fineprint/retrieve/search.h"
#include "fineprint/session/context.h"

namespace fineprint::pipelines {

// The best pages by what they say and by how they look, dense numbers: each list in the order of
// its rank and without repeats. A page may be in both.
struct SideBySide {
  std::vector<std::uint32_t> texts, images;
  // Figures, tables and charts that were found beside them (see session::Corpus::elements), those
  // by text first, each once; their pages are among those above.
  std::vector<std::uint32_t> elements = {};
};

// What is ranked: pages alone, or pages and the elements of their documents' maps.
enum class RankedUnit { page, element };

// `options.k` pages by each of two searches: by those of the scorers that look at text, and by
// those that look at page images. Where the scorers are of one kind alone, both lists are by one
// search. With elements, `options.k` of both together.
// Throws what retrieve::search does, or retrieve::search_with_elements.
// Source: MDocAgent (arXiv 2503.13964), its second stage; DMAP, equations 7 and 8.
SideBySide search_side_by_side(session::Context& context, const std::string& question,
                               const retrieve::SearchOptions& options,
                               RankedUnit unit = RankedUnit::page);

// Appends those of the pages that are not there yet, in their order.
void append_new(const std::vector<std::uint32_t>& more, std::vector<std::uint32_t>* pages);

// The pages of both lists by their better rank, images first, each once. Scores of two searches do
// not compare: a page's is 1 / its place.
std::vector<std::uint32_t> ranked_pages(const SideBySide& found);
std::vector<RetrievedPage> retrieved_pages(const session::Context& context,
                                           const SideBySide& found);

}  // namespace fineprint::pipelines
