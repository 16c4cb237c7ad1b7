// Numbers with how often each occurs: a list as a mixture is fitted to it.
#pragma once

#include <span>
#include <vector>

#include "fineprint/score/mixture.h"

namespace fineprint::score {

struct Sample {
  std::vector<double> x;
  std::vector<double> count;  // of each x
  double total = 0;           // of the counts
};

Sample whole_sample(std::span<const double> x);

// The same list in fewer numbers. `z` is sorted. Whatever lies within `step` is replaced by two
// numbers with the same count, mean, variance and third moment, so that sums over functions that
// are smooth on the scale of a step change by its fourth power only.
Sample condensed_sample(std::span<const double> z, double step);

MixtureFit fit_sample(const Sample& sample, const TwoGaussians& start, const EmOptions& options);

// fit_two_gaussians for long sorted lists of variance 1: condensed by steps that are small beside
// the narrower Gaussian, which leaves weights, means and variances equal within 1e-9.
MixtureFit fit_long_list(std::span<const double> z, const TwoGaussians& start,
                         const EmOptions& options);

}  // namespace fineprint::score
