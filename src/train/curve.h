// How a training went, as a picture.
#pragma once

#include <span>
#include <string>

namespace fineprint::train {

struct CurvePoint {
  long step = 0;
  double loss = 0;
};

// An SVG of the loss by step: each (means of neighbours where there are more than can be seen), and
// the mean of the last fiftieth of the steps.
std::string loss_curve(std::span<const CurvePoint> points);

}  // namespace fineprint::train
