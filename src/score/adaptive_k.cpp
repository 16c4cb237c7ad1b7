// Chooses how many of the best items to keep, by a mixture fitted to their scores.
#include <algorithm>
#include <cmath>
#include <limits>

#include "fineprint/score/mixture.h"

#include "score/sample.h"
#include "score/two_means.h"

namespace fineprint::score {
namespace {

constexpr double kFlatRange = 1e-12;     // scores within this range are equal but for rounding
constexpr std::size_t kLongList = 4096;  // items; shorter lists are fitted in no time

// Returns the first scores of the ranking. A score that is not finite becomes the lowest finite
// one.
std::vector<double> window_of(std::span<const double> scores, const AdaptiveKOptions& options) {
  const auto wanted = static_cast<std::size_t>(
      std::max(0, options.window > 0 ? options.window : 2 * options.top_k));
  const std::size_t count = options.window_all ? scores.size() : std::min(wanted, scores.size());
  std::vector<double> window(scores.begin(), scores.begin() + static_cast<std::ptrdiff_t>(count));
  double lowest = std::numeric_limits<double>::infinity();
  for (const double score : window) {
    if (std::isfinite(score)) lowest = std::min(lowest, score);
  }
  for (double& score : window) {
    if (!std::isfinite(score)) score = std::isfinite(lowest) ? lowest : 0;
  }
  if (!std::ranges::is_sorted(window, std::greater{})) std::ranges::sort(window, std::greater{});
  return window;
}

// Scales to mean 0 and variance 1, so that the tolerances of the fit suit sums of similarities as
// well as cosines.
void standardise(std::vector<double>& x, AdaptiveK* result) {
  const auto count = static_cast<double>(x.size());
  double mean = 0;
  for (const double value : x) mean += value / count;
  double variance = 0;
  for (const double value : x) variance += (value - mean) * (value - mean) / count;
  const double deviation = std::sqrt(variance);
  for (double& value : x) value = (value - mean) / deviation;
  result->centre = mean;
  result->spread = deviation;
}

// Counts the items that the chosen component claims. Items are sorted, so it can stop at top_k.
int count_members(std::span<const double> z, const TwoGaussians& model,
                  const AdaptiveKOptions& options) {
  const bool top_is_low =
      options.high == HighComponent::top_item && posterior_high(model, z.front()) < 0.5;
  const std::size_t chosen = top_is_low ? 0 : 1;
  int members = 0;
  for (const double value : z) {
    const double high = posterior_high(model, value);
    bool member = (chosen == 1 ? high : 1 - high) >= 0.5;
    if (options.members == MixtureMembers::prefix) {
      // With unequal variances the wide component claims both ends of the ranking, so membership
      // alone could skip the best items.
      member = (member || value >= model.mean[chosen]) && value >= model.mean[1 - chosen];
    }
    members += member ? 1 : 0;
    if (members >= options.top_k) break;  // no more are kept
  }
  return members;
}

}  // namespace

// Undoes standardise(): means shift and scale, variances scale with the square.
TwoGaussians AdaptiveK::in_scores() const {
  TwoGaussians model = fit.model;
  for (std::size_t c = 0; c < 2; ++c) {
    model.mean[c] = centre + model.mean[c] * spread;
    model.variance[c] *= spread * spread;
  }
  return model;
}

AdaptiveK adaptive_k(std::span<const double> scores, const AdaptiveKOptions& options) {
  AdaptiveK result;
  std::vector<double> z = window_of(scores, options);
  const auto count = static_cast<int>(z.size());
  result.window = count;
  const int max_k = std::min(options.top_k, count);
  const int min_k = std::min(options.min_k, max_k);
  // Without a usable fit the list keeps its top_k: there is nothing to choose by.
  result.k = max_k;
  if (count < 2 || count <= options.min_k || z.front() - z.back() < kFlatRange) return result;
  standardise(z, &result);
  const TwoGaussians start = split_in_two(z, options.em.regularisation);
  result.fit = z.size() > kLongList ? fit_long_list(z, start, options.em)
                                    : fit_two_gaussians(z, start, options.em);
  result.fitted = !result.fit.degenerate;
  const int wanted =
      result.fitted ? count_members(z, result.fit.model, options) : options.top_k / 2;
  result.k = std::clamp(wanted, min_k, max_k);
  return result;
}

}  // namespace fineprint::score
