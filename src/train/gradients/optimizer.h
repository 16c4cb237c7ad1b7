// AdamW over named tensors, with a rate that rises and falls.
#pragma once

#include <map>
#include <memory>
#include <string>

#include <ATen/core/Tensor.h>

#include "fineprint/train/training.h"

namespace fineprint::train {

// What the optimizer remembers of one tensor.
struct Moments {
  at::Tensor mean, square;
};

// Source: Loshchilov and Hutter, "Decoupled Weight Decay Regularization" (2019), algorithm 2, as
// LibTorch has it.
class Optimizer {
 public:
  // `tensors` are leaves that take gradients.
  Optimizer(const std::map<std::string, at::Tensor>& tensors, const TrainingOptions& options,
            long all_steps);
  ~Optimizer();

  // The rate of step 1 to all_steps: up in a line during the warm-up, then down, as the options
  // say, to 0 behind the last step.
  double rate(long step) const;
  // Cuts the gradients, takes one step and forgets them. Returns their length before. Throws
  // Error(model) where it is no number, and changes nothing then.
  double step(long number);

  // By the tensors' names; empty before the first step.
  std::map<std::string, Moments> moments() const;
  // Goes on behind `step` steps.
  void restore(const std::map<std::string, Moments>& moments, long step);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fineprint::train
