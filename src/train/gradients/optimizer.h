// AdamW over named tensors, with a rate that rises and falls.
#pragma once

#include <map>
#include <memory>
#include <string>

#include <ATen/core/Tensor.h>

#include "fineprint/train/training.h"

namespace fineprint::train {

// The optimizer's state of one tensor.
struct Moments {
  at::Tensor mean, square;
};

// Source: Loshchilov and Hutter, "Decoupled Weight Decay Regularization" (2019), algorithm 2, as
// implemented by LibTorch.
class Optimizer {
 public:
  // `tensors` must be leaves with gradients.
  Optimizer(const std::map<std::string, at::Tensor>& tensors, const TrainingOptions& options,
            long all_steps);
  ~Optimizer();

  // Returns the rate of a step, 1 to all_steps. It rises linearly during the warm-up and then falls
  // as the options say. It would be 0 one step after the last.
  double rate(long step) const;
  // Cuts the gradients, takes one step and clears them. Returns their length before the cut. If it
  // is not finite, throws Error(model) and changes nothing.
  double step(long number);

  // Returns the state by the tensors' names; empty before the first step.
  std::map<std::string, Moments> moments() const;
  // Restores the state after `step` steps.
  void restore(const std::map<std::string, Moments>& moments, long step);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fineprint::train
