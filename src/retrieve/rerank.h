// Sorts what was found anew, by a model that reads it together with the question.
#pragma once

#include <string>
#include <vector>

#include "fineprint/retrieve/search.h"

namespace fineprint::retrieve {

// The SPEC of the model that reads what was found; empty: none does. So it is for "none", and for
// models::kBuiltInReader where that did not come along, which is said once a process.
std::string chosen_reranker(const session::Models& models, const SearchOptions& options);

// The options by which the pages or chunks are found that the model of SearchOptions::rerank is to
// read; the same options without such a model. Throws Error(usage) for --adaptive and --fusion
// union, which choose by the scorers' own scores; models::kBuiltInReader, which presets name
// unasked, gives way to these.
SearchOptions before_rerank(const session::Models& models, const SearchOptions& options);

// The first K of what was found, best first by the model, with its scores. `found` has the order of
// before_rerank's search. Nothing changes without SearchOptions::rerank.
std::vector<FoundPage> reranked(session::Context& context, const std::string& question,
                                std::vector<FoundPage> found, const SearchOptions& options);
std::vector<FoundChunk> reranked(session::Context& context, const std::string& question,
                                 std::vector<FoundChunk> found, const SearchOptions& options);

}  // namespace fineprint::retrieve
