// Ranks pages by text and by image in separate searches.
#pragma once

#include <string>
#include <vector>

#include "fineprint/core/ids.h"
#include "fineprint/core/records.h"
#include "fineprint/retrieve/search.h"
#include "fineprint/session/context.h"

namespace fineprint::pipelines {

// The best pages by what they say and by how they look, in rank order without repeats.
// A page may be in both lists.
struct SideBySide {
  std::vector<PageId> texts, images;
  // Figures, tables and charts that were found as well (see session::Corpus::elements), each once,
  // those found by text first. Their pages are in the lists above.
  std::vector<ElementId> elements = {};
  // All of `texts` and of `images` and more, up to retrieve::kLeastRanked pages each.
  std::vector<PageId> ranked_texts = {}, ranked_images = {};
};

// The ranked units: pages alone, or pages and the elements of their document maps.
enum class RankedUnit { page, element };

// Which of the two searches run. For ablations: a search that does not run finds nothing.
enum class Searches { both, text, images };

// What the searches rank, and which of them run.
struct SideBySideOptions {
  RankedUnit unit = RankedUnit::page;
  Searches searches = Searches::both;
};

// Returns `options.k` pages by each of two searches: one with the scorers of text, one with the
// scorers of page images. If all scorers are of one kind, one search fills both lists, unless only
// one search runs. With elements, each search returns `options.k` pages and elements together.
// Throws the errors of retrieve::search, or of retrieve::search_with_elements.
// Source: MDocAgent (arXiv 2503.13964), its second stage; DMAP, equations 7 and 8.
SideBySide search_side_by_side(session::Context& context, const std::string& question,
                               const retrieve::SearchOptions& options,
                               const SideBySideOptions& sides = {});

// Throws Error(usage) if `searches` names one search for which there is no scorer.
void check_searches(const retrieve::SearchOptions& options, Searches searches);

// Appends the pages that are not in the list yet, in their order.
void append_new(const std::vector<PageId>& more, std::vector<PageId>* pages);

// Returns the pages of both lists by their better rank, images first, each once.
std::vector<PageId> ranked_pages(const std::vector<PageId>& texts,
                                 const std::vector<PageId>& images);

// Returns the pages of the streams that were shown, then other pages that the searches ranked until
// there are retrieve::kLeastRanked pages. Scores of two searches cannot be compared, so the score
// of a page is 1 / its position.
std::vector<RetrievedPage> retrieved_pages(const session::Context& context,
                                           const std::vector<PageId>& texts,
                                           const std::vector<PageId>& images,
                                           const SideBySide& found);

}  // namespace fineprint::pipelines
