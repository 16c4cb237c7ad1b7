// A gated delta rule layer: one matrix for each head sums up all tokens, so its cost is linear in
// their number.
#include "nets/decoder/gated_delta.h"

#include <cmath>
#include <vector>

#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/rsqrt.h>
#include <ATen/ops/silu.h>
#include <ATen/ops/softplus.h>
#include <ATen/ops/zeros.h>

#include "nets/layers/delta_rule.h"

namespace fineprint::nets {
namespace {

constexpr double kUnitEps = 1e-6;  // as in the reference

at::Tensor take_floats(const WeightScope& weights, const std::string& name) {
  return weights(name).to(at::kFloat);
}

at::Tensor unit_length(const at::Tensor& x) {
  return x * at::rsqrt((x * x).sum(-1, true).add_(kUnitEps));
}

}  // namespace

GatedDelta::GatedDelta(const models::Decoder& spec, StatePlace place, const WeightScope& weights)
    : sizes_(spec.delta),
      place_(place),
      inputs_(take_linear(weights, "in_proj_qkv")),
      gate_(take_linear(weights, "in_proj_z")),
      rate_(take_linear(weights, "in_proj_b")),
      step_(take_linear(weights, "in_proj_a")),
      output_(take_linear(weights, "out_proj")),
      step_bias_(take_floats(weights, "dt_bias")),
      norm_(take_norm(weights, "norm", models::NormKind::rms, spec.norm_eps)) {
  // [channels, 1, kernel] on disk; a row for each tap here, because mix_part adds tap by tap.
  kernel_ = take_floats(weights, "conv1d.weight").flatten(1).t().contiguous();
  // GGUF files hold -exp(A_log) already and repeat key heads in another order (`tiled`).
  const at::Tensor stored = take_floats(weights, "A_log");
  decays_ = sizes_.tiled ? stored : stored.exp().neg();
}

at::Tensor GatedDelta::mix(const at::Tensor& x, const Rotations& /*rotations*/,
                           std::span<const DecoderPart> parts) const {
  const std::int64_t total = x.size(0);
  // The products run over the tokens of all parts at once; only the recurrence goes part by part.
  const at::Tensor steps = at::softplus(apply(step_, x).to(at::kFloat) + step_bias_);
  const Inputs all{apply(inputs_, x), steps * decays_, apply(rate_, x).to(at::kFloat).sigmoid()};
  std::vector<at::Tensor> results;
  std::int64_t begin = 0;
  for (const DecoderPart& part : parts) {
    const auto slice_of_part = [&](const at::Tensor& rows) {
      return rows.narrow(0, begin, part.tokens());
    };
    results.push_back(mix_part(
        part, {slice_of_part(all.mixed), slice_of_part(all.decay), slice_of_part(all.rate)}));
    begin += part.tokens();
  }
  const at::Tensor read = results.size() == 1 ? results[0] : at::cat(results);  // [T, H, v]
  const at::Tensor gate = at::silu(apply(gate_, x).to(at::kFloat)).view(read.sizes());
  const at::Tensor gated = (apply(norm_, read).to(at::kFloat) * gate).to(x.scalar_type());
  return apply(output_, gated.reshape({total, -1}));
}

// Repeats rows of key heads [T, key_heads, d] for the value heads that share them. Returns
// [value_heads, T, d].
at::Tensor GatedDelta::for_value_heads(const at::Tensor& rows) const {
  const std::int64_t keys = sizes_.key_heads, shared = sizes_.value_heads / keys;
  const std::int64_t total = rows.size(0), d = rows.size(2);
  const at::Tensor heads = rows.transpose(0, 1);  // [key_heads, T, d]
  if (shared == 1) return heads;
  if (sizes_.tiled) return heads.repeat({shared, 1, 1});
  return heads.unsqueeze(1).expand({keys, shared, total, d}).reshape({keys * shared, total, d});
}

at::Tensor GatedDelta::mix_part(const DecoderPart& part, const Inputs& inputs) const {
  const std::int64_t total = part.tokens(), heads = sizes_.value_heads;
  const std::int64_t keys = std::int64_t{sizes_.key_heads} * sizes_.key_dim;
  const std::int64_t channels = inputs.mixed.size(1), tail = sizes_.kernel - 1;
  const auto options = inputs.mixed.options();
  Recurrence::Layer before, after;
  if (part.state != nullptr) {
    const auto& state = static_cast<Recurrence&>(part.state->part(place_.part));
    before = state.before(place_.layer);
    after = state.after(place_.layer);
  } else {
    after.matrices =
        at::empty({heads, sizes_.key_dim, sizes_.value_dim}, options.dtype(at::kFloat));
  }
  // The last inputs of earlier tokens, which the convolution needs, and then the part's own.
  const at::Tensor seen =
      at::cat({before.tail.defined() ? before.tail : at::zeros({tail, channels}, options),
               inputs.mixed});  // [tail + T, channels]
  if (after.tail.defined()) after.tail.copy_(seen.narrow(0, total, tail));
  // A depthwise convolution over a few taps; multiplying and adding tap by tap is faster here than
  // setting up LibTorch's convolution.
  at::Tensor mixed = seen.narrow(0, 0, total) * kernel_[0];
  for (int i = 1; i < sizes_.kernel; ++i) mixed.addcmul_(seen.narrow(0, i, total), kernel_[i]);
  mixed = at::silu(mixed);  // [T, channels], in float32
  const auto by_head = [&](std::int64_t first, std::int64_t count, std::int64_t width) {
    return mixed.narrow(1, first, count * width).view({total, count, width});
  };
  const at::Tensor query = unit_length(by_head(0, sizes_.key_heads, sizes_.key_dim)) *
                           (1 / std::sqrt(static_cast<double>(sizes_.key_dim)));
  const at::Tensor key = unit_length(by_head(keys, sizes_.key_heads, sizes_.key_dim));
  const DeltaTokens tokens{for_value_heads(query), for_value_heads(key),
                           by_head(2 * keys, heads, sizes_.value_dim).transpose(0, 1),
                           inputs.decay.t(), inputs.rate.t()};
  return delta_rule(tokens, before.matrices, after.matrices).transpose(0, 1);  // [T, H, v]
}

}  // namespace fineprint::nets
