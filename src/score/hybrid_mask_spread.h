// The readings of the paper's sigma, computed from the population variance.
#pragma once

#include <cmath>

#include "fineprint/score/hybrid_mask.h"

namespace fineprint::score {

// Returns 0 for a single value, whatever the divisor.
inline double spread_of(double variance, double count, Spread spread) {
  switch (spread) {
    case Spread::standard_deviation:
      return std::sqrt(variance);
    case Spread::unbiased_standard_deviation:
      return count > 1 ? std::sqrt(variance * count / (count - 1)) : 0;
    case Spread::variance:
      return variance;
  }
  return 0;
}

}  // namespace fineprint::score
