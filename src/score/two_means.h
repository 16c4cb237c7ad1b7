// The best cut of a sorted list into two groups.
#pragma once

#include <span>

#include "fineprint/score/mixture.h"

namespace fineprint::score {

// Cuts `z` (sorted descending, at least 2 items) where the squares within the groups are smallest:
// exact 2-means on a line. Each group gives one component: its share, mean, and variance plus
// `regularisation`; the lower one is component 0. Of equal cuts the one nearest the top wins.
TwoGaussians split_in_two(std::span<const double> z, double regularisation);

}  // namespace fineprint::score
