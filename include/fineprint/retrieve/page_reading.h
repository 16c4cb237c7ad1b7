// Chooses which passages of the found pages a QA model reads, and combines its scores with those of
// the search.
#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "fineprint/evidence/page_passages.h"
#include "fineprint/models/qa_model.h"
#include "fineprint/retrieve/search.h"
#include "fineprint/session/context.h"

namespace fineprint::retrieve {

// Returns the SPEC of the QA model to use, or an empty string if there is none: for "" and "none",
// and for models::kBuiltInQaModel if it is not installed, which is noted once per process.
std::string chosen_qa_model(const session::Models& models, const std::string& spec);

// A passage of a found page.
struct FoundPassage {
  std::size_t place = 0;  // index of its page in the list of found pages
  evidence::PagePassage passage;
  double promise = 0;  // larger: more worth reading
};

// Returns the passages to read: first the most promising passage of each page, in page order, then
// the most promising of the rest, as long as about `pieces` word pieces suffice for all of them,
// each with the question. At least one passage is returned if there is any.
std::vector<FoundPassage> most_promising(std::vector<FoundPassage> passages, std::size_t pieces);

// Returns the largest value of each page's passages, by the page's place. values[i] belongs to
// passages[i]; passages after the last value were not read (the time was up) and do not count.
std::map<std::size_t, double> best_of_each_page(const std::vector<FoundPassage>& passages,
                                                const std::vector<double>& values);

// Returns, for each found page, the log-odds that it is right compared with the best page, as the
// search alone sees it: from the scores if they come from Fusion::weighted, otherwise from the
// ranks. The best page has 0, the others have less.
std::vector<double> search_odds(const std::vector<FoundPage>& found, Fusion fusion);

// Returns the log-odds that a passage answers the question, from the QA model's relevance
// (log-odds, scaled down because the model is too sure on pages unlike its training data) and the
// search_odds() of its page.
double joint_odds(double relevance, double search_odds);

// Converts a QA model's relevance (log-odds) into the amount that it adds to a page's score of
// Fusion::weighted.
double relevance_in_score(double relevance);

}  // namespace fineprint::retrieve
