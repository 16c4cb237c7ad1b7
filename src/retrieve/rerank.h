// Reranks found pages and chunks by a model that reads each of them together with the question.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fineprint/retrieve/search.h"

namespace fineprint::retrieve {

// SPEC that stands for no model.
inline constexpr std::string_view kNoModel = "none";

// Returns true if `spec` is models::kBuiltInQaModel and it is not installed, which is noted once
// per process.
bool is_missing(const session::Models& models, const std::string& spec);

// Returns the SPEC of the model that reads the found pages, or an empty string if none does: for
// "none", and for models::kBuiltInQaModel if it is not installed, which is noted once per process.
std::string chosen_reranker(const session::Models& models, const SearchOptions& options);

// Returns true if a model sorts the found pages again.
bool is_reranked(const session::Models& models, const SearchOptions& options);

// Returns the options for finding the candidates that the model of SearchOptions::rerank reads
// (more pages, no threshold), or the same options if there is no such model. Throws Error(usage)
// for --adaptive and --fusion union, which choose by the scorers' own scores.
// models::kBuiltInQaModel is ignored with these.
SearchOptions before_rerank(const session::Models& models, const SearchOptions& options);

// Return the first K of the found pages or chunks, best first by the model, with its scores.
// `found` must be in the order of a search for `query` with before_rerank(). Without
// SearchOptions::rerank they return `found` unchanged.
std::vector<FoundPage> reranked(session::Context& context, const Query& query,
                                std::vector<FoundPage> found, const SearchOptions& options);
std::vector<FoundChunk> reranked(session::Context& context, const Query& query,
                                 std::vector<FoundChunk> found, const SearchOptions& options);

}  // namespace fineprint::retrieve
