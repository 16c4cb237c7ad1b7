// Numbers with their counts: the form of a list to which a mixture is fitted.
#pragma once

#include <span>
#include <vector>

#include "fineprint/score/mixture.h"

namespace fineprint::score {

// Number x[i] occurs count[i] times; counts need not be integers.
struct Sample {
  std::vector<double> x;
  std::vector<double> count;  // for each x
  double total = 0;           // sum of the counts
};

// Returns the list as it is: every number counts 1.
Sample whole_sample(std::span<const double> x);

// Returns the same list in fewer numbers. `z` must be sorted. Numbers within `step` are replaced by
// two numbers with the same count, mean, variance and third moment. So sums over functions that are
// smooth on the scale of a step change only by its fourth power.
Sample condensed_sample(std::span<const double> z, double step);

// Fits as fit_two_gaussians does, but with counts.
MixtureFit fit_sample(const Sample& sample, const TwoGaussians& start, const EmOptions& options);

// Fits long sorted lists of variance 1 faster than fit_two_gaussians. Condenses them by steps that
// are small compared with the narrower Gaussian. Weights, means and variances stay equal within
// 1e-9.
MixtureFit fit_long_list(std::span<const double> z, const TwoGaussians& start,
                         const EmOptions& options);

}  // namespace fineprint::score
