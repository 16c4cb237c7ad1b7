// Records each step of a training in OUT/steps.jsonl, and draws the losses.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "fineprint/core/files.h"

#include "train/curve.h"

namespace fineprint::train {

class TrainingLog {
 public:
  // Continues after `step`. Lines of later steps are removed; a training that was killed wrote them
  // after its last checkpoint.
  TrainingLog(const std::string& folder, long step);

  void add(long step, double loss, double gradient, double rate);
  void draw() const;  // writes OUT/curve.svg
  // Return the means over the first and the last tenth of the steps.
  double first_loss() const;
  double last_loss() const;

 private:
  std::string folder_;
  std::vector<CurvePoint> points_;
  std::unique_ptr<LineAppender> file_;
};

}  // namespace fineprint::train
