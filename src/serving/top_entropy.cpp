// The entropy of the few most likely tokens among themselves.
#include <algorithm>
#include <cmath>

#include "fineprint/serving/sampling.h"

namespace fineprint::serving {

double top_entropy(std::span<const double> logs) {
  double weights = 0, products = 0;
  for (const double log : logs) {
    // Relative to the largest, so that the exponentials cannot overflow.
    const double below = log - logs[0];
    weights += std::exp(below);
    products += below * std::exp(below);
  }
  return std::max(0.0, std::log(weights) - products / weights);
}

}  // namespace fineprint::serving
