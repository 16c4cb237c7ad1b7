// What each step of a training came to: OUT/steps.jsonl, and the picture of it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "fineprint/core/files.h"

#include "train/curve.h"

namespace fineprint::train {

class TrainingLog {
 public:
  // Goes on behind `step`: lines of later steps, which a training that was killed wrote after it
  // had last saved itself, are taken out.
  TrainingLog(const std::string& folder, long step);

  void add(long step, double loss, double gradient, double rate);
  void draw() const;  // OUT/curve.svg
  // Of the first and the last tenth of the steps.
  double first_loss() const;
  double last_loss() const;

 private:
  std::string folder_;
  std::vector<CurvePoint> points_;
  std::unique_ptr<LineAppender> file_;
};

}  // namespace fineprint::train
