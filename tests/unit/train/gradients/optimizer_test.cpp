// Tests of the optimizer and of what a stopped training goes on from.
#include "train/gradients/optimizer.h"

#include <cmath>
#include <limits>

#include <ATen/TensorOperators.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/tensor.h>
#include <gtest/gtest.h>

#include "fineprint/core/error.h"

#include "support/temp_dir.h"
#include "train/gradients/checkpoint.h"

namespace fineprint::train {
namespace {

std::map<std::string, at::Tensor> one_tensor(std::initializer_list<float> values) {
  return {{"w", at::tensor(std::vector<float>(values)).set_requires_grad(true)}};
}

void pull_to_zero(const at::Tensor& tensor) { tensor.square().sum().backward(); }

TEST(Optimizer, TheRateRisesAndFallsInLines) {
  TrainingOptions options;
  options.rate = 1;
  options.warm_up = 0.2;
  const Optimizer optimizer(one_tensor({1}), options, 10);
  EXPECT_DOUBLE_EQ(optimizer.rate(1), 0.5);
  EXPECT_DOUBLE_EQ(optimizer.rate(2), 1);
  EXPECT_DOUBLE_EQ(optimizer.rate(6), 5.0 / 9);
  EXPECT_DOUBLE_EQ(optimizer.rate(10), 1.0 / 9);
}

// By hand: the first step of Adam goes the rate's length against the sign, after the decay.
TEST(Optimizer, StepsAsAdamWDoes) {
  TrainingOptions options;
  options.rate = 0.1;
  options.warm_up = 0;
  options.weight_decay = 0.5;
  const auto tensors = one_tensor({2, -1});
  Optimizer optimizer(tensors, options, 1000);
  pull_to_zero(tensors.at("w"));
  EXPECT_NEAR(optimizer.step(1), std::sqrt(16 + 4), 1e-5);
  EXPECT_NEAR(tensors.at("w")[0].item<double>(), 2 * (1 - 0.05) - 0.1, 1e-5);
  EXPECT_NEAR(tensors.at("w")[1].item<double>(), -1 * (1 - 0.05) + 0.1, 1e-5);
}

TEST(Optimizer, GradientsThatAreNoNumbersChangeNothing) {
  const auto tensors = one_tensor({1, 2});
  Optimizer optimizer(tensors, {}, 10);
  (tensors.at("w") * std::numeric_limits<float>::quiet_NaN()).sum().backward();
  EXPECT_THROW(optimizer.step(1), Error);
  EXPECT_TRUE(at::equal(tensors.at("w").detach(), at::tensor({1.0F, 2.0F})));
}

// As if it had never been stopped, to the last bit.
TEST(Checkpoint, ATrainingGoesOnFromIt) {
  const testing::TempDir dir;
  const std::string path = dir.path() + "/checkpoint.safetensors";
  const at::Tensor start = at::randn({4, 3});
  const auto fresh = [&] {
    return std::map<std::string, at::Tensor>{{"w", start.clone().set_requires_grad(true)}};
  };
  const auto straight = fresh();
  Optimizer alone(straight, {}, 10);
  for (long step = 1; step <= 10; ++step) {
    pull_to_zero(straight.at("w"));
    alone.step(step);
  }
  const auto begun = fresh();
  Optimizer first(begun, {}, 10);
  for (long step = 1; step <= 4; ++step) {
    pull_to_zero(begun.at("w"));
    first.step(step);
  }
  save_checkpoint(path, {4, begun, first.moments()}, "a training");
  const auto progressed = read_checkpoint(path, "a training");
  ASSERT_TRUE(progressed);
  EXPECT_EQ(progressed->step, 4);
  const std::map<std::string, at::Tensor> resumed = {
      {"w", progressed->tensors.at("w").clone().set_requires_grad(true)}};
  Optimizer second(resumed, {}, 10);
  second.restore(progressed->moments, 4);
  for (long step = 5; step <= 10; ++step) {
    pull_to_zero(resumed.at("w"));
    second.step(step);
  }
  EXPECT_TRUE(at::equal(resumed.at("w"), straight.at("w")));
}

TEST(Checkpoint, OfAnotherTrainingIsRefused) {
  const testing::TempDir dir;
  const std::string path = dir.path() + "/checkpoint.safetensors";
  EXPECT_FALSE(read_checkpoint(path, "a training"));
  save_checkpoint(path, {4, one_tensor({1}), {}}, "a training");
  EXPECT_THROW(read_checkpoint(path, "another one"), Error);
}

}  // namespace
}  // namespace fineprint::train
