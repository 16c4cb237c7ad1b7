// Fusion of rankings: by rank, by score, or by standardised score.
#include "fineprint/score/fusion.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

namespace fineprint::score {
namespace {

// NaN sorts last, so that the order is total.
bool better(const Scored& a, const Scored& b) {
  const bool a_counts = !std::isnan(a.score);
  const bool b_counts = !std::isnan(b.score);
  if (a_counts != b_counts) return a_counts;
  if (a_counts && a.score != b.score) return a.score > b.score;
  return a.item < b.item;
}

template <typename Better>
std::vector<Scored> top_by(std::vector<Scored> items, std::size_t k, const Better& is_better) {
  if (k > 0 && k < items.size()) {
    const auto end = items.begin() + static_cast<std::ptrdiff_t>(k);
    std::ranges::nth_element(items, end, is_better);
    items.resize(k);
  }
  std::ranges::sort(items, is_better);
  return items;
}

// Keeps up to 2 k candidates and drops the worse half if there are more. So nearly all items cost
// one comparison with the worst item that can still be among the k best.
template <typename Number>
std::vector<Scored> top_of(std::span<const Number> scores, std::size_t k) {
  const auto before = [](const Scored& a, const Scored& b) {
    return a.score > b.score || (a.score == b.score && a.item < b.item);
  };
  const std::size_t most = k == 0 || k > scores.size() / 2 ? scores.size() : 2 * k;
  std::vector<Scored> items;
  double bar = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < scores.size(); ++i) {
    // Of equal scores the earlier item is better, so an item that only equals the bar is too late.
    if (!(scores[i] > bar) || !std::isfinite(scores[i])) continue;
    items.push_back({static_cast<std::uint32_t>(i), scores[i]});
    if (items.size() < most || most == scores.size()) continue;
    const auto end = items.begin() + static_cast<std::ptrdiff_t>(k);
    std::ranges::nth_element(items, end - 1, before);
    items.erase(end, items.end());
    bar = items.back().score;
  }
  return top_by(std::move(items), k, before);
}

// Returns all items, sorted as integers, which is fast: the inverted order of the score, then the
// item.
std::vector<Scored> sorted(std::span<const float> scores) {
  std::vector<std::uint64_t> keys;
  keys.reserve(scores.size());
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (!std::isfinite(scores[i])) continue;
    const auto bits = std::bit_cast<std::uint32_t>(scores[i] + 0.0F);  // -0 and 0 are equal
    const std::uint32_t descending = (bits >> 31) != 0 ? bits : ~(bits | 0x80000000U);
    keys.push_back(std::uint64_t{descending} << 32 | i);
  }
  std::ranges::sort(keys);
  std::vector<Scored> items;
  items.reserve(keys.size());
  for (const std::uint64_t key : keys) {
    const auto item = static_cast<std::uint32_t>(key);
    items.push_back({item, scores[item]});
  }
  return items;
}

// Returns NaN for each item. Throws Error(internal) if the lists differ in length.
std::vector<double> no_scores(std::span<const ScoreList> lists) {
  const std::size_t count = lists.empty() ? 0 : lists.front().scores.size();
  for (const ScoreList& list : lists) {
    if (list.scores.size() == count) continue;
    throw Error(ErrorCode::internal,
                format("cannot fuse lists of {} and {} items", count, list.scores.size()));
  }
  return std::vector<double>(count, std::numeric_limits<double>::quiet_NaN());
}

// Adds to the sum of an item, which is NaN if no list scored it before.
void add(double amount, double* sum) { *sum = std::isnan(*sum) ? amount : *sum + amount; }

// The numbers that standardise one list.
struct Scale {
  double mean = 0;
  double deviation = 0;
  double minimum = 0;

  double of(double score) const {
    return deviation > 0 ? (score - mean) / deviation : 0;  // a flat list favours no item
  }
};

Scale scale_of(std::span<const float> scores) {
  Scale scale;
  double count = 0;
  double sum = 0;
  scale.minimum = std::numeric_limits<double>::infinity();
  for (const double score : scores) {
    if (!std::isfinite(score)) continue;
    count += 1;
    sum += score;
    scale.minimum = std::min(scale.minimum, score);
  }
  if (count == 0) return {};
  scale.mean = sum / count;
  double squares = 0;
  for (const double score : scores) {
    if (std::isfinite(score)) squares += (score - scale.mean) * (score - scale.mean);
  }
  scale.deviation = std::sqrt(squares / count);
  // Rounding makes equal scores differ slightly from their mean. Dividing by that would blow it up.
  if (scale.deviation <= 1e-12 * std::abs(scale.mean)) scale.deviation = 0;
  return scale;
}

}  // namespace

std::vector<Scored> top_k(std::vector<Scored> items, std::size_t k) {
  return top_by(std::move(items), k, better);
}

std::vector<Scored> top_items(std::span<const float> scores, std::size_t k) {
  return k == 0 ? sorted(scores) : top_of(scores, k);
}

std::vector<Scored> top_items(std::span<const double> scores, std::size_t k) {
  return top_of(scores, k);
}

std::vector<double> reciprocal_rank_fusion(std::span<const ScoreList> lists, double constant) {
  std::vector<double> sums = no_scores(lists);
  for (const ScoreList& list : lists) {
    double rank = 0;
    for (const Scored& item : top_items(list.scores, 0)) {
      add(list.weight / (constant + ++rank), &sums[item.item]);
    }
  }
  return sums;
}

std::vector<double> weighted_sum(std::span<const ScoreList> lists) {
  std::vector<double> sums = no_scores(lists);
  for (const ScoreList& list : lists) {
    for (std::size_t i = 0; i < sums.size(); ++i) {
      if (std::isfinite(list.scores[i])) add(list.weight * list.scores[i], &sums[i]);
    }
  }
  return sums;
}

std::vector<double> weighted_fusion(std::span<const ScoreList> lists) {
  // Starts as if every list missed every item, then adds what each list's own items gain over that.
  std::vector<double> gains = no_scores(lists);
  double missing_everywhere = 0;
  for (const ScoreList& list : lists) {
    const Scale scale = scale_of(list.scores);
    const double missing = scale.of(scale.minimum);
    missing_everywhere += list.weight * missing;
    for (std::size_t i = 0; i < gains.size(); ++i) {
      if (!std::isfinite(list.scores[i])) continue;
      add(list.weight * (scale.of(list.scores[i]) - missing), &gains[i]);
    }
  }
  for (double& gain : gains) gain += missing_everywhere;
  return gains;
}

}  // namespace fineprint::score
