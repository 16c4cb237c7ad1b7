// Means of resamples.
#include "fineprint/metrics/bootstrap.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>

namespace fineprint::metrics {
namespace {

constexpr std::size_t kResamples = 2000;
constexpr std::uint64_t kSeed = 20240318;
constexpr double kTail = 0.025;  // on each side

// From 0 to below `count`, by the upper bits: the same on every machine, as distributions of the
// standard library are not.
std::size_t draw(std::mt19937_64* random, std::size_t count) {
  return static_cast<std::size_t>(((*random)() >> 32) * count >> 32);
}

}  // namespace

Interval bootstrap_mean(const std::vector<double>& values) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  if (values.empty()) return {kNone, kNone, kNone};
  const auto count = static_cast<double>(values.size());
  std::mt19937_64 random(kSeed);
  std::vector<double> means(kResamples);
  for (double& mean : means) {
    double sum = 0;
    for (std::size_t i = 0; i < values.size(); ++i) sum += values[draw(&random, values.size())];
    mean = sum / count;
  }
  std::ranges::sort(means);
  const auto at = [&](double share) {
    return means[static_cast<std::size_t>(share * static_cast<double>(kResamples - 1))];
  };
  return {std::accumulate(values.begin(), values.end(), 0.0) / count, at(kTail), at(1 - kTail)};
}

}  // namespace fineprint::metrics
