// Chooses which passages of the found pages are read, and weighs what the QA model says.
#include "fineprint/retrieve/page_reading.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>

#include "retrieve/rerank.h"

namespace fineprint::retrieve {
namespace {

constexpr std::size_t kQuestionPieces = 25;  // of a question, which is read with each passage

// Weights of the log-odds that a page is right: of the QA model's log-odds, of the search's score,
// and (negative) of the logarithm of the rank if scores are of another kind. Fitted by
// scripts/fit/ranking on documents of the sets that QA models are not trained on.
constexpr double kQaTrust = 0.38, kScoreWorth = 8.6, kRankWorth = 1.6;

std::size_t cost_of(const FoundPassage& one) {
  return kQuestionPieces + evidence::estimated_pieces(one.passage.passage);
}

// Puts the best passage of each page first, in page order, and the others after them, best first.
void sort_for_reading(std::vector<FoundPassage>* passages) {
  std::ranges::stable_sort(*passages, std::greater<>(), &FoundPassage::promise);
  std::set<std::size_t> seen;
  const auto others =
      std::stable_partition(passages->begin(), passages->end(),
                            [&](const FoundPassage& one) { return seen.insert(one.place).second; });
  std::ranges::sort(passages->begin(), others, {}, &FoundPassage::place);
}

}  // namespace

std::string chosen_qa_model(const session::Models& models, const std::string& spec) {
  if (spec == kNoModel) return "";
  return is_missing(models, spec) ? "" : spec;
}

std::vector<FoundPassage> most_promising(std::vector<FoundPassage> passages, std::size_t pieces) {
  sort_for_reading(&passages);
  std::vector<FoundPassage> chosen;
  std::size_t used = 0;
  for (FoundPassage& one : passages) {
    const std::size_t cost = cost_of(one);
    if (!chosen.empty() && used + cost > pieces) continue;  // a shorter passage may still fit
    used += cost;
    chosen.push_back(std::move(one));
  }
  return chosen;
}

std::map<std::size_t, double> best_of_each_page(const std::vector<FoundPassage>& passages,
                                                const std::vector<double>& values) {
  std::map<std::size_t, double> best;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto [known, is_first] = best.try_emplace(passages[i].place, values[i]);
    if (!is_first) known->second = std::max(known->second, values[i]);
  }
  return best;
}

std::vector<double> search_odds(const std::vector<FoundPage>& found, Fusion fusion) {
  std::vector<double> odds;
  odds.reserve(found.size());
  for (const FoundPage& page : found) {
    double most = page.score;
    // The rank is counted from the scores, because the list may be in reading order.
    double rank = 1;
    for (const FoundPage& other : found) {
      most = std::max(most, other.score);
      rank += other.score > page.score ? 1 : 0;
    }
    odds.push_back(fusion == Fusion::weighted ? kScoreWorth * (page.score - most)
                                              : -kRankWorth * std::log(rank));
  }
  return odds;
}

double joint_odds(double relevance, double search_odds) {
  return kQaTrust * relevance + search_odds;
}

double relevance_in_score(double relevance) { return kQaTrust / kScoreWorth * relevance; }

}  // namespace fineprint::retrieve
