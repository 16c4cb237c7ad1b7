// Condenses a long list to few numbers that give the same mixture.
#include "score/sample.h"

#include <algorithm>
#include <cmath>

namespace fineprint::score {
namespace {

void add(double x, double count, Sample* sample) {
  sample->x.push_back(x);
  sample->count.push_back(count);
  sample->total += count;
}

// Adds two numbers that have the first four moments of `group` (Gauss quadrature over its items).
void add_condensed(std::span<const double> group, Sample* sample) {
  const auto count = static_cast<double>(group.size());
  double mean = 0;
  // Subtracts the first value before summing, because a narrow group would lose digits otherwise.
  for (const double value : group) mean += (value - group.front()) / count;
  mean += group.front();
  double square = 0;
  double cube = 0;
  for (const double value : group) {
    const double distance = value - mean;
    square += distance * distance / count;
    cube += distance * distance * distance / count;
  }
  if (!(square > 0)) {
    add(mean, count, sample);
    return;
  }
  const double deviation = std::sqrt(square);
  const double half_skew = cube / (2 * square * deviation);
  const double reach = std::sqrt(1 + half_skew * half_skew);
  add(mean + deviation * (half_skew + reach), count / 2 * (1 - half_skew / reach), sample);
  add(mean + deviation * (half_skew - reach), count / 2 * (1 + half_skew / reach), sample);
}

}  // namespace

Sample whole_sample(std::span<const double> x) {
  return {{x.begin(), x.end()}, std::vector<double>(x.size(), 1.0), static_cast<double>(x.size())};
}

// Groups of one or two values stay as they are, because two numbers would not be fewer.
Sample condensed_sample(std::span<const double> z, double step) {
  Sample sample;
  for (std::size_t begin = 0; begin < z.size();) {
    std::size_t end = begin + 1;
    while (end < z.size() && std::abs(z[end] - z[begin]) < step) ++end;
    const std::span<const double> group = z.subspan(begin, end - begin);
    if (group.size() > 2) {
      add_condensed(group, &sample);
    } else {
      for (const double value : group) add(value, 1, &sample);
    }
    begin = end;
  }
  return sample;
}

MixtureFit fit_long_list(std::span<const double> z, const TwoGaussians& start,
                         const EmOptions& options) {
  constexpr double kFirstStep = 0.008;
  constexpr double kStepsPerDeviation = 25;
  constexpr double kLeastStep = 1e-4;  // smaller steps condense too little to be worth it
  for (double step = kFirstStep; step >= kLeastStep;) {
    const MixtureFit fit = fit_sample(condensed_sample(z, step), start, options);
    const auto [least, most] = std::ranges::minmax(fit.model.variance);
    const double wanted = std::sqrt(least) / kStepsPerDeviation;
    // The fit shows how narrow a component is, and so whether the step was small enough.
    if (!fit.degenerate && step <= wanted) return fit;
    step = std::min(step / 4, wanted);
  }
  return fit_two_gaussians(z, start, options);
}

}  // namespace fineprint::score
