// Finds the best cut of a sorted list into two groups.
#pragma once

#include <span>

#include "fineprint/score/mixture.h"

namespace fineprint::score {

// Cuts `z` (sorted descending, at least 2 items) where the sum of squares within the groups is
// smallest: exact 2-means on a line. Returns one component for each group: its share, mean, and
// variance plus `regularisation`. Component 0 is the lower one. Of equal cuts the one nearest the
// top wins.
TwoGaussians split_in_two(std::span<const double> z, double regularisation);

}  // namespace fineprint::score
