// Tests of which examples a step has.
#include "train/step_order.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"

namespace fineprint::train {
namespace {

TrainingOptions training(int batch, long epochs, long most_steps = 0) {
  TrainingOptions options;
  options.batch = batch;
  options.epochs = epochs;
  options.most_steps = most_steps;
  return options;
}

TEST(StepOrder, AnEpochHasEachExampleOnceAndTheNextAnotherOrder) {
  const StepOrder order(12, training(4, 2));
  ASSERT_EQ(order.steps(), 6);
  std::vector<std::vector<std::size_t>> epochs(2);
  for (long step = 1; step <= 6; ++step) {
    const std::vector<std::size_t> some = order.of_step(step);
    auto& epoch = epochs[step <= 3 ? 0 : 1];
    epoch.insert(epoch.end(), some.begin(), some.end());
  }
  for (const auto& epoch : epochs) {
    EXPECT_EQ(std::set<std::size_t>(epoch.begin(), epoch.end()).size(), 12U);
  }
  EXPECT_NE(epochs[0], epochs[1]);
}

TEST(StepOrder, EpochsCountFromZero) {
  const StepOrder order(11, training(4, 3));  // two steps an epoch
  std::vector<long> epochs;
  for (long step = 1; step <= 6; ++step) epochs.push_back(order.epoch_of(step));
  EXPECT_EQ(epochs, (std::vector<long>{0, 0, 1, 1, 2, 2}));
}

TEST(StepOrder, WhatFillsNoBatchIsLeftOut) {
  EXPECT_EQ(StepOrder(11, training(4, 3)).steps(), 6);
  EXPECT_EQ(StepOrder(11, training(4, 3, 5)).steps(), 5);
  EXPECT_THROW(StepOrder(3, training(4, 3)), Error);
}

}  // namespace
}  // namespace fineprint::train
