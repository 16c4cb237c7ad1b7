// Which examples a step has.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "fineprint/train/training.h"

namespace fineprint::train {

// A number that depends on the seed and the step alone: a training that goes on draws what it would
// have drawn.
std::uint64_t seed_of_step(long seed, long step);

// The standard library's own may differ from one to the next.
template <typename Value>
void shuffle_values(std::vector<Value>* values, std::mt19937_64& random) {
  for (std::size_t left = values->size(); left > 1; --left) {
    std::swap((*values)[left - 1], (*values)[random() % left]);
  }
}

class StepOrder {
 public:
  // Throws Error(usage) when the examples are fewer than a batch has.
  StepOrder(std::size_t examples, const TrainingOptions& training);

  // All steps of the epochs, or as many as the options allow at most. Examples are in another order
  // in each epoch, and the last ones that fill no batch are left out of it.
  long steps() const;
  // The examples of step 1 to steps().
  std::vector<std::size_t> of_step(long step) const;

 private:
  long steps_an_epoch() const;

  std::size_t examples_;
  TrainingOptions training_;
};

}  // namespace fineprint::train
