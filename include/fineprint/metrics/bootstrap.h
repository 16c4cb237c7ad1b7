// Estimates how much a mean over questions would vary for other questions of the same kind.
#pragma once

#include <vector>

namespace fineprint::metrics {

// A mean and its 95% confidence interval: the middle 95% of the means of resamples.
struct Interval {
  double mean = 0, low = 0, high = 0;
};

// Returns the percentile bootstrap over 2,000 resamples. The result is the same in every run,
// because the seed is fixed. All three numbers are NaN if there are no values. Source: Efron and
// Tibshirani, An Introduction to the Bootstrap (1993), 13.3.
Interval bootstrap_mean(const std::vector<double>& values);

// The same for several measures of the same questions, one column each. All columns share the
// resamples. Throws Error(internal) if the columns have different lengths.
std::vector<Interval> bootstrap_means(const std::vector<std::vector<double>>& columns);

}  // namespace fineprint::metrics
