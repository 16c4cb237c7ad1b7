// Found pages as a reader reads them.
#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "fineprint/evidence/page_passages.h"
#include "fineprint/models/reader.h"
#include "fineprint/retrieve/search.h"
#include "fineprint/session/context.h"

namespace fineprint::retrieve {

// The reader that SearchOptions::rerank names; nullptr where it names none, or a model that points
// at nothing. Loaded at the first call.
const models::Reader* chosen_reader(const session::Session& session, const SearchOptions& options);

// A passage of a page that was found.
struct FoundPassage {
  std::size_t place = 0;  // of its page among those found
  evidence::PagePassage passage;
  double promise = 0;  // what speaks for reading it
};

// Of each page the most promising passage, from the first page on, then the most promising of all,
// until a reader of the question sees some `pieces` word pieces.
std::vector<FoundPassage> most_promising(std::vector<FoundPassage> passages, std::size_t pieces);

// The largest value of each page's passages, by its place; what is behind the last value was not
// read.
std::map<std::size_t, double> best_of_each_page(const std::vector<FoundPassage>& passages,
                                                const std::vector<double>& values);

// Log-odds of pages to be right, against the best one, as the search alone has them: by their
// scores where these are of Fusion::weighted, else by their ranks. As many as there are pages.
std::vector<double> search_odds(const std::vector<FoundPage>& found, Fusion fusion);

// Those that a passage answers, of a reader's relevance (which says too much of pages that it was
// not trained on) and of its page's search_odds.
double joint_odds(double relevance, double search_odds);

// A reader's relevance as what it adds to a page's score of Fusion::weighted.
double relevance_in_score(double relevance);

}  // namespace fineprint::retrieve
