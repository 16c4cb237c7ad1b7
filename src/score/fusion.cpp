// Joins rankings: by rank, or by standardised score.
#include "fineprint/score/fusion.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>
#include <utility>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

namespace fineprint::score {
namespace {

using ItemScores = std::unordered_map<std::uint32_t, double>;

bool better(const Scored& a, const Scored& b) {
  const bool a_counts = !std::isnan(a.score);
  const bool b_counts = !std::isnan(b.score);
  if (a_counts != b_counts) return a_counts;
  if (a_counts && a.score != b.score) return a.score > b.score;
  return a.item < b.item;
}

std::vector<Scored> ranked(const ItemScores& scores) {
  std::vector<Scored> items;
  items.reserve(scores.size());
  for (const auto& [item, score] : scores) items.push_back({item, score});
  return top_k(std::move(items), 0);
}

void check_weights(std::size_t lists, std::size_t weights) {
  if (lists != weights) {
    throw Error(ErrorCode::internal, format("{} lists are fused by {} weights", lists, weights));
  }
}

// What standardises one list. Scores that are not finite count as the list's minimum.
struct Scale {
  double mean = 0;
  double deviation = 0;
  double minimum = 0;

  double of(double score) const {
    if (deviation <= 0) return 0;  // a flat list says nothing
    return ((std::isfinite(score) ? score : minimum) - mean) / deviation;
  }
};

Scale scale_of(const std::vector<Scored>& list) {
  Scale scale;
  scale.minimum = std::numeric_limits<double>::infinity();
  for (const Scored& item : list) {
    if (std::isfinite(item.score)) scale.minimum = std::min(scale.minimum, item.score);
  }
  if (!std::isfinite(scale.minimum)) return {};
  const auto finite = [&](double score) { return std::isfinite(score) ? score : scale.minimum; };
  const auto count = static_cast<double>(list.size());
  for (const Scored& item : list) scale.mean += finite(item.score) / count;
  double variance = 0;
  for (const Scored& item : list) {
    const double distance = finite(item.score) - scale.mean;
    variance += distance * distance / count;
  }
  scale.deviation = std::sqrt(variance);
  // Rounding makes equal scores differ from their mean by a hair, which must not be blown up.
  if (scale.deviation <= 1e-12 * std::abs(scale.mean)) scale.deviation = 0;
  return scale;
}

}  // namespace

std::vector<Scored> top_k(std::vector<Scored> items, std::size_t k) {
  if (k == 0 || k >= items.size()) {
    std::ranges::sort(items, better);
    return items;
  }
  const auto end = items.begin() + static_cast<std::ptrdiff_t>(k);
  std::ranges::nth_element(items, end, better);
  items.resize(k);
  std::ranges::sort(items, better);
  return items;
}

std::vector<Scored> reciprocal_rank_fusion(std::span<const std::vector<Scored>> lists,
                                           std::span<const double> weights, double constant) {
  check_weights(lists.size(), weights.size());
  ItemScores scores;
  for (std::size_t l = 0; l < lists.size(); ++l) {
    double rank = 0;
    for (const Scored& item : lists[l]) scores[item.item] += weights[l] / (constant + ++rank);
  }
  return ranked(scores);
}

std::vector<Scored> weighted_sum(std::span<const std::vector<Scored>> lists,
                                 std::span<const double> weights) {
  check_weights(lists.size(), weights.size());
  ItemScores scores;
  for (std::size_t l = 0; l < lists.size(); ++l) {
    for (const Scored& item : lists[l]) scores[item.item] += weights[l] * item.score;
  }
  return ranked(scores);
}

std::vector<Scored> weighted_fusion(std::span<const std::vector<Scored>> lists,
                                    std::span<const double> weights) {
  check_weights(lists.size(), weights.size());
  // First as if every list missed every item, then what the items that it has gain on that.
  ItemScores gains;
  double missing_everywhere = 0;
  for (std::size_t l = 0; l < lists.size(); ++l) {
    const Scale scale = scale_of(lists[l]);
    const double missing = scale.of(scale.minimum);
    missing_everywhere += weights[l] * missing;
    for (const Scored& item : lists[l]) {
      gains[item.item] += weights[l] * (scale.of(item.score) - missing);
    }
  }
  for (auto& [item, gain] : gains) gain += missing_everywhere;
  return ranked(gains);
}

}  // namespace fineprint::score
