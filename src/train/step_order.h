// Chooses the examples of each step.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "fineprint/train/training.h"

namespace fineprint::train {

// Returns a number that depends only on the seed and the step, so that a continued training draws
// what it would have drawn without the stop.
std::uint64_t seed_of_step(long seed, long step);

// Shuffles the values. std::shuffle is not used, because standard libraries implement it
// differently.
template <typename Value>
void shuffle_values(std::vector<Value>* values, std::mt19937_64& random) {
  for (std::size_t left = values->size(); left > 1; --left) {
    std::swap((*values)[left - 1], (*values)[random() % left]);
  }
}

class StepOrder {
 public:
  // Throws Error(usage) if there are fewer examples than a batch needs.
  StepOrder(std::size_t examples, const TrainingOptions& training);

  // Returns the number of steps: all steps of the epochs, or the options' limit. Each epoch has the
  // examples in another order, and leaves out the last ones that do not fill a batch.
  long steps() const;
  // Returns the examples of a step, 1 to steps().
  std::vector<std::size_t> of_step(long step) const;
  // Returns the epoch of a step, from 0.
  long epoch_of(long step) const { return (step - 1) / steps_an_epoch(); }

 private:
  long steps_an_epoch() const;

  std::size_t examples_;
  TrainingOptions training_;
};

}  // namespace fineprint::train
