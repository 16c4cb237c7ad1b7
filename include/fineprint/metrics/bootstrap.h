// How far a mean over questions would vary with other questions of the same kind.
#pragma once

#include <vector>

namespace fineprint::metrics {

// A mean, and the middle 95% of the means of as many values drawn again from the same.
struct Interval {
  double mean = 0, low = 0, high = 0;
};

// The percentile bootstrap over 2,000 resamples, which are drawn alike in every run. All NaN
// without values. Source: Efron and Tibshirani, An Introduction to the Bootstrap (1993), 13.3.
Interval bootstrap_mean(const std::vector<double>& values);

// The same of several measures of the same questions, each a column of as many values: every
// resample is drawn once for all. Throws Error(internal) where lengths differ.
std::vector<Interval> bootstrap_means(const std::vector<std::vector<double>>& columns);

}  // namespace fineprint::metrics
