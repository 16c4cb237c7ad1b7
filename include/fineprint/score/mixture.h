// Two Gaussians fitted to a list of scores, and the number of items that the higher one claims.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "fineprint/core/option.h"

namespace fineprint::score {

// Component 0 has the lower mean once fitted.
struct TwoGaussians {
  std::array<double, 2> weight{0.5, 0.5};
  std::array<double, 2> mean{0, 0};
  std::array<double, 2> variance{1, 1};
};

struct MixtureFit {
  TwoGaussians model;
  double mean_log_likelihood = 0;
  int iterations = 0;
  bool degenerate = false;  // a weight under 1e-6, or something not finite
};

struct EmOptions {
  double regularisation = 1e-6;  // added to variances
  double tolerance = 1e-6;       // stop when the mean log-likelihood moves by less
  int max_iterations = 500;
};

// Expectation maximisation from `start`, unequal variances; deterministic.
MixtureFit fit_two_gaussians(std::span<const double> x, const TwoGaussians& start,
                             const EmOptions& options = {});

// P(component 1 | x).
double posterior_high(const TwoGaussians& model, double x);

enum class MixtureMembers { prefix, argmax };
enum class HighComponent { larger_mean, top_item };

struct AdaptiveKOptions {
  int top_k = 10;           // Kmax
  int min_k = 5;            // Kmin
  int window = 0;           // fit so many of the best scores; 0: 2 * top_k
  bool window_all = false;  // fit the whole list instead
  MixtureMembers members = MixtureMembers::prefix;
  HighComponent high = HighComponent::larger_mean;
  EmOptions em;
};

const OptionTable<AdaptiveKOptions>& adaptive_k_options();

struct AdaptiveK {
  int k = 0;
  bool fitted = false;  // false when the list was too short, flat, or the fit degenerate
  MixtureFit fit;       // in standardised units of the window
  int window = 0;       // scores that were looked at
  double centre = 0;    // of the window: a standardised z stands for the score centre + z * spread
  double spread = 1;

  // The fitted model in units of the scores.
  TwoGaussians in_scores() const;
};

// How many of the best items to keep. `scores` sorted descending; NaN counts as the lowest.
// Source: ViDoRAG section 3.2, with the decisions on window, start and prefix stated in
// configs/README.md.
AdaptiveK adaptive_k(std::span<const double> scores, const AdaptiveKOptions& options = {});

}  // namespace fineprint::score
