// Draws the loss of a training.
#pragma once

#include <span>
#include <string>

namespace fineprint::train {

struct CurvePoint {
  long step = 0;
  double loss = 0;
};

// Returns an SVG of the loss by step: each loss (means of neighbours if there are too many to
// distinguish), and the mean of the last fiftieth of the steps.
std::string loss_curve(std::span<const CurvePoint> points);

}  // namespace fineprint::train
