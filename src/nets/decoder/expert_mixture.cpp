// A mixture of experts in place of a feed-forward network.
#include "nets/decoder/expert_mixture.h"

#include <tuple>

#include <ATen/TensorOperators.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/topk.h>
#include <ATen/ops/zeros_like.h>

#include "fineprint/core/format.h"

namespace fineprint::nets {
namespace {

// The tokens that chose an expert, and the weights that they gave it.
struct ExpertTokens {
  std::vector<std::int64_t> tokens;
  std::vector<float> weights;
};

FeedForward take_expert(const models::Decoder& spec, const WeightScope& weights) {
  return {spec.activation, take_linear(weights, "gate_proj"), take_linear(weights, "up_proj"),
          take_linear(weights, "down_proj")};
}

}  // namespace

ExpertMixture::ExpertMixture(const models::Decoder& spec, const WeightScope& weights)
    : sizes_(spec.experts), router_(take_linear(weights, "gate")) {
  for (int i = 0; i < sizes_.count; ++i) {
    experts_.push_back(take_expert(spec, weights[format("experts.{}", i)]));
  }
  if (sizes_.shared_intermediate > 0) {
    shared_ = take_expert(spec, weights["shared_expert"]);
    shared_gate_ = {{weights("shared_expert_gate.weight").view({1, spec.hidden}), {}}, {}};
  }
}

at::Tensor ExpertMixture::feed(const at::Tensor& x) const {
  at::Tensor sum = feed_chosen(x);
  if (!shared_) return sum;
  return sum.add_(apply(*shared_, x) * apply(shared_gate_, x).sigmoid());
}

at::Tensor ExpertMixture::feed_chosen(const at::Tensor& x) const {
  // In float32 for every number format, as in the reference: near scores decide which experts read.
  const at::Tensor odds = at::softmax(apply(router_, x).to(at::kFloat), -1);  // [T, count]
  auto [weights, chosen] = at::topk(odds, sizes_.chosen, -1);                 // [T, chosen] each
  if (sizes_.weights_sum_to_one) weights = weights / weights.sum(-1, true);
  // Rounded to the format of activations, as in the reference.
  const at::Tensor rounded = weights.to(x.scalar_type()).to(at::kFloat).cpu().contiguous();
  const at::Tensor numbers = chosen.cpu().contiguous();
  std::vector<ExpertTokens> readers(experts_.size());
  for (std::int64_t t = 0; t < x.size(0); ++t) {
    for (std::int64_t k = 0; k < sizes_.chosen; ++k) {
      const std::int64_t at = t * sizes_.chosen + k;
      ExpertTokens& reader =
          readers[static_cast<std::size_t>(numbers.const_data_ptr<std::int64_t>()[at])];
      reader.tokens.push_back(t);
      reader.weights.push_back(rounded.const_data_ptr<float>()[at]);
    }
  }
  at::Tensor sum = at::zeros_like(x);
  for (std::size_t i = 0; i < experts_.size(); ++i) {
    if (readers[i].tokens.empty()) continue;
    const at::Tensor rows = at::tensor(readers[i].tokens, at::kLong).to(x.device());
    const at::Tensor shares =
        at::tensor(readers[i].weights, at::kFloat).to(x.options()).unsqueeze(1);
    sum.index_add_(0, rows, apply(experts_[i], x.index_select(0, rows)) * shares);
  }
  return sum;
}

}  // namespace fineprint::nets
