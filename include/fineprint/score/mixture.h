// Adaptive K: fits two Gaussians to a list of scores, and counts the items in the higher one.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "fineprint/core/option.h"

namespace fineprint::score {

// A mixture of two Gaussians. After fitting, component 0 has the lower mean.
struct TwoGaussians {
  // Shares of the items; they sum to 1.
  std::array<double, 2> weight{0.5, 0.5};
  // In units of the fitted numbers.
  std::array<double, 2> mean{0, 0};
  std::array<double, 2> variance{1, 1};
};

// A fitted mixture, and how the fit ended.
struct MixtureFit {
  TwoGaussians model;
  double mean_log_likelihood = 0;  // per score, natural logarithm
  // Number of steps of expectation maximisation that were taken.
  int iterations = 0;
  bool degenerate = false;  // a weight is below 1e-6, or a value is not finite
};

// When expectation maximisation stops.
struct EmOptions {
  double regularisation = 1e-6;  // added to variances
  double tolerance = 1e-6;       // stop if the mean log-likelihood changes by less
  // Prevents an endless loop if the likelihood keeps changing.
  int max_iterations = 500;
};

// Fits by expectation maximisation from `start`, with unequal variances. Deterministic.
MixtureFit fit_two_gaussians(std::span<const double> x, const TwoGaussians& start,
                             const EmOptions& options = {});

// Returns P(component 1 | x).
double posterior_high(const TwoGaussians& model, double x);

// Which items count as kept. prefix: the members of the higher group and everything better than its
// mean. argmax: members only.
enum class MixtureMembers { prefix, argmax };
// Which component is the higher one: that of the larger mean, or that of the best item.
enum class HighComponent { larger_mean, top_item };

// The settings of adaptive K; Kmin and Kmax are the paper's names.
struct AdaptiveKOptions {
  int top_k = 10;           // Kmax
  int min_k = 5;            // Kmin
  int window = 0;           // number of best scores to fit; 0: 2 * top_k
  bool window_all = false;  // fit the complete list instead
  // How members are counted, and in which component.
  MixtureMembers members = MixtureMembers::prefix;
  HighComponent high = HighComponent::larger_mean;
  EmOptions em;
};

// Returns the options that users may set (`--min-k`, `--gmm-window`, ...).
const OptionTable<AdaptiveKOptions>& adaptive_k_options();

// The chosen number of items, with the fit that led to it.
struct AdaptiveK {
  // The number of best items to keep, from min_k to top_k; fewer only if the list is shorter.
  int k = 0;
  bool fitted = false;  // false if the list was too short or flat, or the fit degenerate
  MixtureFit fit;       // in standardised units of the window
  int window = 0;       // number of scores that were fitted
  double centre = 0;    // of the window: a standardised z is the score centre + z * spread
  double spread = 1;

  // Returns the fitted model in units of the scores.
  TwoGaussians in_scores() const;
};

// Returns how many of the best items to keep. `scores` must be sorted in descending order; NaN
// counts as the lowest. Source: ViDoRAG, section 3.2. configs/README.md states the decisions on
// window, start and prefix.
AdaptiveK adaptive_k(std::span<const double> scores, const AdaptiveKOptions& options = {});

}  // namespace fineprint::score
