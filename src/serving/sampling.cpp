// Scores tokens under the model and draws from its filtered distribution.
#include "fineprint/serving/sampling.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

#include "serving/exponential.h"

namespace fineprint::serving {
namespace {

constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();

// Independent running values that fit side by side in vector registers; with a single one, every
// addition would wait for the one before.
constexpr std::size_t kLanes = 16;

// Returns the largest logit; skips NaNs.
float largest(std::span<const float> logits) {
  std::array<float, kLanes> best;
  best.fill(kMinusInfinity);
  std::size_t i = 0;
  for (; i + kLanes <= logits.size(); i += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const float x = logits[i + lane];
      best[lane] = x > best[lane] ? x : best[lane];
    }
  }
  for (; i < logits.size(); ++i) best[0] = std::max(best[0], logits[i]);
  return *std::ranges::max_element(best);
}

// The largest logits in descending order; skips NaNs.
struct TopLogits {
  std::array<float, models::kTopTokens> values{};
  std::size_t count = 0;

  // A logit must be larger than this to be added.
  float least() const { return count < values.size() ? kMinusInfinity : values.back(); }
  void add(float logit) {
    if (!(logit > least())) return;
    std::size_t at = count < values.size() ? count++ : count - 1;
    for (; at > 0 && values[at - 1] < logit; --at) values[at] = values[at - 1];
    values[at] = logit;
  }
};

// Nearly all blocks contain none of the largest logits, which a fast test of their maximum shows.
TopLogits top_logits(std::span<const float> logits) {
  constexpr std::size_t kBlock = 256;
  TopLogits top;
  for (std::size_t begin = 0; begin < logits.size(); begin += kBlock) {
    const std::span<const float> block =
        logits.subspan(begin, std::min(kBlock, logits.size() - begin));
    if (!(largest(block) > top.least())) continue;
    for (const float logit : block) top.add(logit);
  }
  return top;
}

struct Sums {
  double weights = 0;   // of e^d, d = logit - largest
  double products = 0;  // of d e^d
};

// Computes the sums in blocks: each loop does one thing to a whole block, so that all are
// vectorised.
Sums sums_below(std::span<const float> logits, float top) {
  constexpr std::size_t kBlock = 512;
  std::array<double, kBlock> below, weights;
  std::array<double, kLanes> sums{}, products{};
  for (std::size_t begin = 0; begin < logits.size(); begin += kBlock) {
    const std::span<const float> block =
        logits.subspan(begin, std::min(kBlock, logits.size() - begin));
    for (std::size_t i = 0; i < block.size(); ++i) {
      const double x = block[i];
      below[i] = x - top < kLowestExponent ? kLowestExponent : x - top;
    }
    for (std::size_t i = 0; i < block.size(); ++i) weights[i] = exp_of_non_positive(below[i]);
    for (std::size_t i = block.size(); i % kLanes != 0; ++i) below[i] = weights[i] = 0;
    for (std::size_t i = 0; i < block.size(); i += kLanes) {
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        sums[lane] += weights[i + lane];
        products[lane] += below[i + lane] * weights[i + lane];
      }
    }
  }
  return {std::accumulate(sums.begin(), sums.end(), 0.0),
          std::accumulate(products.begin(), products.end(), 0.0)};
}

[[noreturn]] void refuse_logits() {
  throw Error(
      ErrorCode::model,
      "the model's scores for the next token are not numbers (NaN or infinite): its weights "
      "are damaged, or its number format is too narrow; try --dtype float32");
}

bool in_range(double value, double low, double high) { return value >= low && value <= high; }

[[noreturn]] void refuse_value(const char* what, double value, const char* expected) {
  throw Error(ErrorCode::usage, format("{} is {}, but must be {}", what, value, expected));
}

}  // namespace

SamplingRule sampling_rule(const models::SamplingOptions& options,
                           const models::GenerationDefaults& defaults) {
  constexpr double kHuge = 1e6;
  const SamplingRule rule = {options.temperature.value_or(defaults.temperature),
                             options.top_k.value_or(defaults.top_k),
                             options.top_p.value_or(defaults.top_p),
                             options.repetition_penalty.value_or(defaults.repetition_penalty)};
  if (!in_range(rule.temperature, 0, kHuge)) {
    refuse_value("temperature", rule.temperature, "0 (greedy) or above");
  }
  if (rule.top_k < 0) refuse_value("top-k", rule.top_k, "0 (all) or above");
  if (!in_range(rule.top_p, 0, 1)) {
    refuse_value("top-p", rule.top_p, "from 0 (the likeliest token alone) to 1 (all)");
  }
  if (!in_range(rule.repetition_penalty, 1e-6, kHuge)) {
    refuse_value("repetition-penalty", rule.repetition_penalty, "above 0");
  }
  return rule;
}

models::TokenScore score_token(std::span<const float> logits, std::int64_t id) {
  if (id < 0 || static_cast<std::size_t>(id) >= logits.size()) {
    throw Error(ErrorCode::internal, format("token {} of {} has no score", id, logits.size()));
  }
  const TopLogits best = top_logits(logits);
  if (best.count == 0 || !std::isfinite(best.values[0])) refuse_logits();
  const float top = best.values[0];
  const Sums sums = sums_below(logits, top);
  if (std::isnan(sums.weights)) refuse_logits();
  const double log_sum = std::log(sums.weights);
  const double shifted = static_cast<double>(logits[static_cast<std::size_t>(id)]) - top;
  // Rounding may leave the entropy of a certain token slightly below zero.
  return {id, shifted - log_sum, std::max(0.0, log_sum - sums.products / sums.weights),
          top_entropy(std::vector<double>(best.values.begin(), best.values.begin() + best.count))};
}

Sampler::Sampler(const SamplingRule& rule, std::uint64_t seed) : rule_(rule), random_(seed) {}

void Sampler::saw(std::int64_t id) {
  if (id < 0) return;
  const auto index = static_cast<std::size_t>(id);
  if (index >= seen_.size()) seen_.resize(index + 1);
  seen_[index] = 1;
}

namespace {

// Excludes ids by adding -infinity. Adding instead of assigning keeps a NaN, which is a sign of
// damaged weights and must be reported wherever it is.
void forbid(std::span<const std::uint8_t> allowed, std::vector<float>* scores) {
  if (allowed.size() != scores->size()) {
    throw Error(ErrorCode::internal,
                format("{} flags of allowed tokens for {} scores", allowed.size(), scores->size()));
  }
  for (std::size_t id = 0; id < allowed.size(); ++id) {
    (*scores)[id] += allowed[id] != 0 ? 0.0F : kMinusInfinity;
  }
}

void penalise(std::span<const std::uint8_t> seen, float penalty, std::vector<float>* scores) {
  const std::size_t count = std::min(seen.size(), scores->size());
  for (std::size_t id = 0; id < count; ++id) {
    if (seen[id] == 0) continue;
    float& score = (*scores)[id];
    score = score > 0 ? score / penalty : score * penalty;
  }
}

// Returns the id of the first largest score. Throws if any score is NaN.
std::int64_t best_id(std::span<const float> scores) {
  const float top = largest(scores);
  if (!std::isfinite(top)) refuse_logits();
  // Without an early exit, so that the loop is vectorised.
  bool has_no_nan = true;
  for (const float x : scores) has_no_nan &= x == x;
  if (!has_no_nan) refuse_logits();
  return std::ranges::find(scores, top) - scores.begin();
}

// Returns the score of the k-th best id, or -infinity if there are fewer.
float kth_best(std::span<const float> scores, int k) {
  if (k == 0 || static_cast<std::size_t>(k) >= scores.size()) return kMinusInfinity;
  std::vector<float> sorted(scores.begin(), scores.end());
  std::ranges::nth_element(sorted, sorted.begin() + (k - 1), std::greater<>());
  return sorted[static_cast<std::size_t>(k - 1)];
}

// Returns which power of two a weight in (0, 1] reaches: 0 for 1, 1 for [1/2, 1), 2 for [1/4, 1/2),
// and so on. The last bin takes all smaller weights.
std::size_t bin_of(double weight, std::size_t bins) {
  const std::uint64_t exponent = std::bit_cast<std::uint64_t>(weight) >> 52;  // 1023: weight 1
  return std::min<std::size_t>(bins - 1, 1023 - exponent);
}

// Sorts the candidates, best first, and drops those after the one with which they reach the share
// `p` of all weight. Few tokens of a vocabulary carry the weight, so candidates below the power of
// two at which p is reached are dropped before sorting.
void keep_nucleus(double p, std::vector<std::int64_t>* candidates, std::vector<double>* weights) {
  std::array<double, 64> bins{};
  for (const double weight : *weights) bins[bin_of(weight, bins.size())] += weight;
  const double wanted = p * std::accumulate(bins.begin(), bins.end(), 0.0);
  std::size_t last = 0;
  for (double sum = bins[0]; sum < wanted && last + 1 < bins.size();) sum += bins[++last];

  std::vector<std::pair<double, std::int64_t>> best;  // negative weight and id
  for (std::size_t i = 0; i < weights->size(); ++i) {
    const double weight = (*weights)[i];
    if (bin_of(weight, bins.size()) <= last) best.emplace_back(-weight, (*candidates)[i]);
  }
  std::ranges::sort(best);
  candidates->clear();
  weights->clear();
  double sum = 0;
  for (const auto& [negative, id] : best) {
    if (!weights->empty() && sum >= wanted) break;
    candidates->push_back(id);
    weights->push_back(-negative);
    sum -= negative;
  }
}

}  // namespace

std::int64_t Sampler::next(std::span<const float> logits, std::span<const std::uint8_t> allowed) {
  scores_.assign(logits.begin(), logits.end());
  if (!allowed.empty()) forbid(allowed, &scores_);
  if (rule_.repetition_penalty != 1) {
    penalise(seen_, static_cast<float>(rule_.repetition_penalty), &scores_);
  }
  const std::int64_t best = best_id(scores_);
  if (rule_.temperature == 0) return best;

  const double top = scores_[static_cast<std::size_t>(best)];
  const float lowest = kth_best(scores_, rule_.top_k);
  candidates_.clear();
  weights_.clear();
  for (std::size_t id = 0; id < scores_.size(); ++id) {
    if (scores_[id] < lowest || scores_[id] == kMinusInfinity) continue;
    candidates_.push_back(static_cast<std::int64_t>(id));
    // Relative to the best score, so that exponentials stay in (0, 1].
    const double below = (scores_[id] - top) / rule_.temperature;
    weights_.push_back(exp_of_non_positive(std::max(below, kLowestExponent)));
  }
  if (rule_.top_p < 1) keep_nucleus(rule_.top_p, &candidates_, &weights_);
  return draw();
}

std::int64_t Sampler::draw() {
  const double sum = std::accumulate(weights_.begin(), weights_.end(), 0.0);
  // 53 random bits in [0, 1). Written out, because std::uniform_real_distribution differs between
  // standard libraries.
  double left = static_cast<double>(random_() >> 11) * 0x1p-53 * sum;
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    left -= weights_[i];
    if (left < 0) return candidates_[i];
  }
  return candidates_.back();  // rounding left a remainder
}

}  // namespace fineprint::serving
