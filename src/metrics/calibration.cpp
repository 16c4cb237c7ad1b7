// Sorts predictions into bins.
#include "fineprint/metrics/calibration.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fineprint/core/error.h"

namespace fineprint::metrics {

std::vector<ReliabilityBin> reliability(const std::vector<double>& probabilities,
                                        const std::vector<bool>& came_true, std::size_t bins) {
  if (probabilities.size() != came_true.size() || bins == 0) {
    throw Error(ErrorCode::internal, "reliability: the lengths differ, or there are no bins");
  }
  std::vector<ReliabilityBin> out(bins);
  for (std::size_t i = 0; i < bins; ++i) {
    out[i].from = static_cast<double>(i) / static_cast<double>(bins);
    out[i].to = static_cast<double>(i + 1) / static_cast<double>(bins);
  }
  for (std::size_t i = 0; i < probabilities.size(); ++i) {
    const double given = probabilities[i];
    const double p = std::isnan(given) ? 0 : std::clamp(given, 0.0, 1.0);
    // A probability of 1 would fall after the last bin.
    const auto at = std::min(bins - 1, static_cast<std::size_t>(p * static_cast<double>(bins)));
    ++out[at].count;
    out[at].said += p;
    out[at].came += came_true[i] ? 1 : 0;
  }
  for (ReliabilityBin& bin : out) {
    if (bin.count == 0) continue;
    bin.said /= static_cast<double>(bin.count);
    bin.came /= static_cast<double>(bin.count);
  }
  return out;
}

double expected_calibration_error(const std::vector<ReliabilityBin>& bins) {
  double sum = 0;
  std::size_t count = 0;
  for (const ReliabilityBin& bin : bins) {
    sum += static_cast<double>(bin.count) * std::abs(bin.said - bin.came);
    count += bin.count;
  }
  return count == 0 ? std::numeric_limits<double>::quiet_NaN() : sum / static_cast<double>(count);
}

}  // namespace fineprint::metrics
