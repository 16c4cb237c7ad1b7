// Chooses the examples of each step.
#include "train/step_order.h"

#include <algorithm>
#include <numeric>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

namespace fineprint::train {

// The seed and the step are in different halves, so that no two pairs are equal for steps below
// 2^32.
std::uint64_t seed_of_step(long seed, long step) {
  return static_cast<std::uint64_t>(seed) << 32U ^ static_cast<std::uint64_t>(step);
}

StepOrder::StepOrder(std::size_t examples, const TrainingOptions& training)
    : examples_(examples), training_(training) {
  if (steps_an_epoch() > 0) return;
  throw Error(ErrorCode::usage,
              format("{} has {} examples, fewer than a batch of {}; give a smaller --batch",
                     training.examples, examples, training.batch));
}

long StepOrder::steps_an_epoch() const { return static_cast<long>(examples_) / training_.batch; }

long StepOrder::steps() const {
  const long all = training_.epochs * steps_an_epoch();
  return training_.most_steps > 0 ? std::min(training_.most_steps, all) : all;
}

// Computed from the seed alone, so that a continued training needs no saved order.
std::vector<std::size_t> StepOrder::of_step(long step) const {
  const long epoch = epoch_of(step), within = (step - 1) % steps_an_epoch();
  std::vector<std::size_t> order(examples_);
  std::iota(order.begin(), order.end(), 0);
  std::mt19937_64 random(seed_of_step(training_.seed, -1 - epoch));
  shuffle_values(&order, random);
  const auto first = order.begin() + within * training_.batch;
  return {first, first + training_.batch};
}

}  // namespace fineprint::train
