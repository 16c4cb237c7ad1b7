// Whether probabilities mean what they say.
#pragma once

#include <cstddef>
#include <vector>

namespace fineprint::metrics {

// The predictions from `from` to `to` (the last bin holds 1).
struct ReliabilityBin {
  double from = 0, to = 0;
  std::size_t count = 0;
  double said = 0;  // the mean probability
  double came = 0;  // the share of those that came true
};

// Bins of equal width, empty ones too. A probability beyond 0..1, or NaN, counts as the nearest
// bound (NaN as 0). Throws Error(internal) where the lengths differ.
std::vector<ReliabilityBin> reliability(const std::vector<double>& probabilities,
                                        const std::vector<bool>& came_true, std::size_t bins = 10);

// The mean of |said - came| over the predictions, bin by bin: 0 is perfect. NaN without any.
// Source: Guo et al., On Calibration of Modern Neural Networks (2017), Eq. 3.
double expected_calibration_error(const std::vector<ReliabilityBin>& bins);

}  // namespace fineprint::metrics
