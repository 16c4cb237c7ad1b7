// The entropy of a few likeliest tokens among themselves.
#include <algorithm>
#include <cmath>

#include "fineprint/serving/sampling.h"

namespace fineprint::serving {

double top_entropy(std::span<const double> logs) {
  double weights = 0, products = 0;
  for (const double log : logs) {
    const double below = log - logs[0];
    weights += std::exp(below);
    products += below * std::exp(below);
  }
  return std::max(0.0, std::log(weights) - products / weights);
}

}  // namespace fineprint::serving
