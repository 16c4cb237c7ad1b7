// Recall, reciprocal rank, nDCG and the area under the ROC curve.
#include "fineprint/metrics/ranking.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace fineprint::metrics {

double recall(const std::vector<PageRef>& ranking, const std::set<PageRef>& gold, std::size_t k) {
  if (gold.empty()) return 0;
  const auto end = ranking.begin() + static_cast<std::ptrdiff_t>(std::min(k, ranking.size()));
  const auto found =
      std::count_if(ranking.begin(), end, [&](const PageRef& page) { return gold.contains(page); });
  return static_cast<double>(found) / static_cast<double>(gold.size());
}

double reciprocal_rank(const std::vector<PageRef>& ranking, const std::set<PageRef>& gold) {
  for (std::size_t i = 0; i < ranking.size(); ++i) {
    if (gold.contains(ranking[i])) return 1 / static_cast<double>(i + 1);
  }
  return 0;
}

double ndcg(const std::vector<PageRef>& ranking, const std::set<PageRef>& gold, std::size_t k) {
  const auto discount = [](std::size_t i) { return 1 / std::log2(static_cast<double>(i + 2)); };
  double ideal = 0;
  for (std::size_t i = 0; i < std::min(k, gold.size()); ++i) ideal += discount(i);
  if (ideal == 0) return 0;
  double gain = 0;
  for (std::size_t i = 0; i < std::min(k, ranking.size()); ++i) {
    if (gold.contains(ranking[i])) gain += discount(i);
  }
  return gain / ideal;
}

double roc_auc(const std::vector<double>& raw_scores, const std::vector<bool>& positive) {
  std::vector<double> scores = raw_scores;
  for (double& score : scores) {
    if (std::isnan(score)) score = -std::numeric_limits<double>::infinity();
  }
  std::vector<std::size_t> order(std::min(scores.size(), positive.size()));
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return scores[i]; });
  double positives = 0;
  double negatives = 0;  // also: those below the present run of equal scores
  double wins = 0;       // pairs in which the positive is higher, ties counting half
  for (std::size_t begin = 0; begin < order.size();) {
    double tied_positives = 0;
    double tied_negatives = 0;
    std::size_t end = begin;
    for (; end < order.size() && scores[order[end]] == scores[order[begin]]; ++end) {
      (positive[order[end]] ? tied_positives : tied_negatives) += 1;
    }
    wins += tied_positives * (negatives + tied_negatives / 2);
    positives += tied_positives;
    negatives += tied_negatives;
    begin = end;
  }
  if (positives == 0 || negatives == 0) return std::numeric_limits<double>::quiet_NaN();
  return wins / (positives * negatives);
}

}  // namespace fineprint::metrics
