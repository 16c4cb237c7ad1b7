// Scores vectors that a database holds.
#pragma once

#include <vector>

#include "retrieve/chosen_scorer.h"

namespace fineprint::retrieve {

// Throws Error(usage) if SearchOptions::vectors_at is set and a scorer or an option needs the
// vectors here, or no scorer uses vectors at all.
void check_outside(const SearchOptions& options, const std::vector<ChosenScorer>& scorers);

// Returns the scores of the search's units by id, as VectorScan::all() does: those of the first
// `pages` pages (0: all) are there, the others NaN. Throws Error(store) if the database cannot be
// used.
std::vector<float> outside_scores(const PageSearch& search, const Matrix& query, std::size_t pages);

}  // namespace fineprint::retrieve
