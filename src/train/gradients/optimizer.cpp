// AdamW over named tensors, with a rate that rises and falls.
#include "train/gradients/optimizer.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include <ATen/core/grad_mode.h>
#include <torch/optim/adamw.h>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

namespace fineprint::train {
namespace {

std::vector<at::Tensor> values_of(const std::map<std::string, at::Tensor>& tensors) {
  std::vector<at::Tensor> values;
  for (const auto& [name, tensor] : tensors) values.push_back(tensor);
  return values;
}

}  // namespace

struct Optimizer::State {
  std::map<std::string, at::Tensor> tensors;
  TrainingOptions options;
  long all_steps = 0;
  torch::optim::AdamW adam;

  // Returns the length of all gradients together.
  double length() const {
    double squares = 0;
    for (const auto& [name, tensor] : tensors) {
      if (tensor.grad().defined()) squares += std::pow(tensor.grad().norm().item<double>(), 2);
    }
    return std::sqrt(squares);
  }
};

Optimizer::Optimizer(const std::map<std::string, at::Tensor>& tensors,
                     const TrainingOptions& options, long all_steps)
    : state_(new State{
          tensors, options, all_steps,
          torch::optim::AdamW(
              values_of(tensors),
              torch::optim::AdamWOptions(options.rate).weight_decay(options.weight_decay))}) {}

Optimizer::~Optimizer() = default;

// The warm-up has at least one step, so that the division is safe.
double Optimizer::rate(long step) const {
  const auto all = static_cast<double>(state_->all_steps);
  const double risen = std::max(1.0, std::ceil(all * state_->options.warm_up));
  const auto at = static_cast<double>(step);
  if (at <= risen) return state_->options.rate * at / risen;
  const double left = (all + 1 - at) / (all + 1 - risen);  // from 1 down to 0
  const bool is_linear = state_->options.decay == Decay::linear;
  return state_->options.rate * (is_linear ? left : (1 - std::cos(std::numbers::pi * left)) / 2);
}

// Checked before the step: one infinite gradient would destroy all weights and moments.
double Optimizer::step(long number) {
  const double length = state_->length();
  if (!std::isfinite(length)) {
    throw Error(ErrorCode::model,
                format("step {}: the gradients are no longer finite; try a lower --rate or "
                       "--longest-step. The last checkpoint is unchanged",
                       number));
  }
  const double most = state_->options.longest_step;
  if (most > 0 && length > most) {
    for (const auto& [name, tensor] : state_->tensors) {
      // All gradients are scaled by one factor, which keeps their direction.
      if (tensor.grad().defined()) tensor.mutable_grad().mul_(most / length);
    }
  }
  for (auto& group : state_->adam.param_groups()) group.options().set_lr(rate(number));
  state_->adam.step();
  state_->adam.zero_grad();
  return length;
}

std::map<std::string, Moments> Optimizer::moments() const {
  std::map<std::string, Moments> moments;
  for (const auto& [name, tensor] : state_->tensors) {
    const auto found = state_->adam.state().find(tensor.unsafeGetTensorImpl());
    // A tensor that has had no gradient yet has no moments.
    if (found == state_->adam.state().end()) continue;
    const auto& state = static_cast<const torch::optim::AdamWParamState&>(*found->second);
    moments[name] = {state.exp_avg(), state.exp_avg_sq()};
  }
  return moments;
}

// Sets LibTorch's state of each tensor directly, by the tensors' names.
void Optimizer::restore(const std::map<std::string, Moments>& moments, long step) {
  for (const auto& [name, tensor] : state_->tensors) {
    const auto found = moments.find(name);
    if (found == moments.end()) continue;
    auto state = std::make_unique<torch::optim::AdamWParamState>();
    state->step(step);
    state->exp_avg(found->second.mean.to(tensor.device()));
    state->exp_avg_sq(found->second.square.to(tensor.device()));
    state_->adam.state()[tensor.unsafeGetTensorImpl()] = std::move(state);
  }
}

}  // namespace fineprint::train
