// Computes recall, precision, reciprocal rank, nDCG and the area under the ROC curve.
#include "fineprint/metrics/ranking.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

namespace fineprint::metrics {

namespace {

// Counts the gold pages among the first k. A ranking shorter than k is not an error: it found fewer
// pages.
double found_in_first(const std::vector<PageRef>& ranking, const std::set<PageRef>& gold,
                      std::size_t k) {
  const auto end = ranking.begin() + static_cast<std::ptrdiff_t>(std::min(k, ranking.size()));
  return static_cast<double>(std::count_if(
      ranking.begin(), end, [&](const PageRef& page) { return gold.contains(page); }));
}

// Returns 0 for an empty whole, so that a question without gold pages lowers no mean to NaN.
double share(double part, std::size_t whole) {
  return whole > 0 ? part / static_cast<double>(whole) : 0;
}

}  // namespace

double recall(const std::vector<PageRef>& ranking, const std::set<PageRef>& gold, std::size_t k) {
  return share(found_in_first(ranking, gold, k), gold.size());
}

double precision(const std::vector<PageRef>& ranking, const std::set<PageRef>& gold,
                 std::size_t k) {
  // Divides by k even if the ranking is shorter, because pages that were not returned are not right
  // either; precision_returned() divides by the length.
  return share(found_in_first(ranking, gold, k), k);
}

double precision_returned(const std::vector<PageRef>& ranking, const std::set<PageRef>& gold) {
  return precision(ranking, gold, ranking.size());
}

double hit(const std::vector<PageRef>& ranking, const std::set<PageRef>& gold, std::size_t k) {
  return found_in_first(ranking, gold, k) > 0 ? 1 : 0;
}

double average_precision(const std::vector<PageRef>& ranking, const std::set<PageRef>& gold) {
  double found = 0;
  double sum = 0;
  for (std::size_t i = 0; i < ranking.size(); ++i) {
    if (gold.contains(ranking[i])) sum += ++found / static_cast<double>(i + 1);
  }
  // Divides by all gold pages, so that a gold page that was not found counts as precision 0.
  return share(sum, gold.size());
}

double reciprocal_rank(const std::vector<PageRef>& ranking, const std::set<PageRef>& gold) {
  for (std::size_t i = 0; i < ranking.size(); ++i) {
    if (gold.contains(ranking[i])) return 1 / static_cast<double>(i + 1);
  }
  return 0;
}

double ndcg(const std::vector<PageRef>& ranking, const std::set<PageRef>& gold, std::size_t k) {
  std::map<PageRef, double> gains;
  for (const PageRef& page : gold) gains[page] = 1;
  return ndcg(ranking, gains, k);
}

double ndcg(const std::vector<PageRef>& ranking, const std::map<PageRef, double>& gains,
            std::size_t k) {
  // `i` counts from 0, ranks from 1.
  const auto discount = [](std::size_t i) { return 1 / std::log2(static_cast<double>(i + 2)); };
  std::vector<double> best;
  for (const auto& [page, gain] : gains) best.push_back(gain);
  // The ideal ranking has the highest gains first. It is also cut at k, so that k perfect pages
  // give 1.
  std::ranges::sort(best, std::greater{});
  double ideal = 0;
  for (std::size_t i = 0; i < std::min(k, best.size()); ++i) ideal += best[i] * discount(i);
  if (ideal == 0) return 0;
  double sum = 0;
  for (std::size_t i = 0; i < std::min(k, ranking.size()); ++i) {
    const auto found = gains.find(ranking[i]);
    if (found != gains.end()) sum += found->second * discount(i);
  }
  return sum / ideal;
}

double roc_auc(const std::vector<double>& raw_scores, const std::vector<bool>& positive) {
  std::vector<double> scores = raw_scores;
  // NaN has no place in an order; sorting it would be undefined behaviour.
  for (double& score : scores) {
    if (std::isnan(score)) score = -std::numeric_limits<double>::infinity();
  }
  std::vector<std::size_t> order(std::min(scores.size(), positive.size()));
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return scores[i]; });
  double positives = 0;
  double negatives = 0;  // while counting: the negatives below the current run of equal scores
  double wins = 0;       // pairs in which the positive scores higher; ties count half
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
