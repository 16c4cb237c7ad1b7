// Checks whether predicted probabilities agree with what happens.
#pragma once

#include <cstddef>
#include <vector>

namespace fineprint::metrics {

// The predictions with a probability in [from, to). The last bin includes 1.
struct ReliabilityBin {
  double from = 0, to = 0;
  std::size_t count = 0;
  double said = 0;  // mean of the predicted probabilities; 0 if the bin is empty
  double came = 0;  // share of the predictions that came true; 0 if the bin is empty
};

// Sorts predictions into bins of equal width; some may stay empty. Probabilities outside 0..1 count
// as the nearest bound, and NaN counts as 0. Throws Error(internal) if the lengths differ or `bins`
// is 0.
std::vector<ReliabilityBin> reliability(const std::vector<double>& probabilities,
                                        const std::vector<bool>& came_true, std::size_t bins = 10);

// Returns the expected calibration error: the mean of |said - came|, weighted by the predictions in
// each bin. 0 is perfect. NaN if there are no predictions. Source: Guo et al., On Calibration of
// Modern Neural Networks (2017), Eq. 3.
double expected_calibration_error(const std::vector<ReliabilityBin>& bins);

}  // namespace fineprint::metrics
