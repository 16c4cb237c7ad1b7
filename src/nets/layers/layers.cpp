// The basic layers of all networks: linear, embedding, norm, activation and feed-forward.
#include "nets/layers/layers.h"

#include <optional>

#include <ATen/TensorOperators.h>
#include <ATen/ops/dropout.h>
#include <ATen/ops/embedding.h>
#include <ATen/ops/gelu.h>
#include <ATen/ops/layer_norm.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/rsqrt.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/silu.h>

#include "nets/weights/gpu_blocks.h"
#include "nets/weights/products.h"

namespace fineprint::nets {

Linear take_linear(const WeightScope& weights, const std::string& name) {
  const WeightScope below = weights[name];
  return {below.matrix("weight"), below.if_there("bias")};
}

namespace {

bool is_trained(const Linear& layer, const at::Tensor& x) {
  return x.requires_grad() || layer.weight.values.requires_grad() || layer.weight.change;
}

// Multiplies by LibTorch. If the device rounds, both factors and the result are rounded to
// bfloat16, and the result is converted back to the format of x. The stored weights keep all their
// digits.
at::Tensor linear_of(const Linear& layer, const at::Tensor& x) {
  const bool rounds = layer.weight.rounding != Rounding::none;
  const auto ready = [&](const at::Tensor& tensor) {
    return rounds && tensor.defined() ? tensor.to(at::kBFloat16) : tensor;
  };
  const at::Tensor bias = ready(layer.bias);
  return at::linear(ready(x), ready(layer.weight.values),
                    bias.defined() ? std::optional(bias) : std::nullopt)
      .to(x.scalar_type());
}

// Multiplies with operators that gradients pass through.
at::Tensor apply_trained(const Linear& layer, const at::Tensor& x) {
  // A change is computed from its own two factors and not merged into the weight, because the
  // weight itself stays fixed.
  at::Tensor y = linear_of(layer, x);
  if (!layer.weight.change) return y;
  const LinearChange& change = *layer.weight.change;
  const bool drops = change.dropout > 0 && *change.learning;
  const at::Tensor seen = at::dropout(x.to(at::kFloat), change.dropout, drops);
  const at::Tensor added = at::linear(at::linear(seen, change.down), change.up);
  return y + (added * change.scale).to(y.scalar_type());
}

}  // namespace

at::Tensor apply(const Linear& layer, const at::Tensor& x) {
  // The order matters: only apply_trained records gradients. Then come the kernels that take
  // weights in the format that memory holds; LibTorch takes the rest.
  if (is_trained(layer, x)) return apply_trained(layer, x);
  if (can_multiply(layer.weight, x)) return multiply(layer.weight, layer.bias, x);
  if (layer.weight.codec && x.is_cuda()) {
    return multiply_on_gpu(*block_kernels_of_gpu(), layer.weight, layer.bias, x);
  }
  const at::Tensor& weight = layer.weight.values;
  return layer.bias.defined() ? at::linear(x, weight, layer.bias) : at::linear(x, weight);
}

Table take_table(const WeightScope& weights, const std::string& name) {
  const WeightScope below = weights[name];
  return {{below.matrix("weight"), {}}, below.columns("weight")};
}

at::Tensor look_up(const Table& table, const at::Tensor& index) {
  const HeldMatrix& rows = table.rows.weight;
  if (rows.values.is_cuda() && rows.codec) {
    return rows_on_gpu(*block_kernels_of_gpu(), rows, index);
  }
  if (!rows.values.is_cpu() || rows.values.requires_grad()) {
    return at::embedding(rows.values, index);
  }
  return held_rows(rows, table.width, index);
}

Norm take_norm(const WeightScope& weights, const std::string& name, models::NormKind kind,
               double eps) {
  const WeightScope below = weights[name];
  return {kind, below("weight"), below.if_there("bias"), eps};
}

at::Tensor apply(const Norm& norm, const at::Tensor& x) {
  if (norm.kind == models::NormKind::layer) {
    return at::layer_norm(x, {x.size(-1)}, norm.weight, norm.bias, norm.eps);
  }
  // In float32 for every number format, because squares overflow half precision.
  const at::Tensor wide = x.to(at::kFloat);
  const at::Tensor scale = wide.square().mean(-1, true).add_(norm.eps).rsqrt_();  // [..., 1]
  return wide.mul(scale).to(x.scalar_type()).mul_(norm.weight);
}

at::Tensor activate(models::Activation activation, at::Tensor x) {
  switch (activation) {
    case models::Activation::gelu:
      return at::gelu_(x);
    case models::Activation::gelu_tanh:
      return at::gelu_(x, "tanh");
    case models::Activation::quick_gelu:
      return x.mul_(at::sigmoid(x * 1.702));
    case models::Activation::silu:
      return at::silu_(x);
    case models::Activation::tanh:
      return x.tanh_();
  }
  return x;
}

// A layer without a gate has no gate matrix.
at::Tensor apply(const FeedForward& layer, const at::Tensor& x) {
  if (!layer.gate.weight.values.defined()) {
    return apply(layer.down, activate(layer.activation, apply(layer.up, x)));
  }
  at::Tensor opened = activate(layer.activation, apply(layer.gate, x));  // [..., intermediate]
  return apply(layer.down, opened.mul_(apply(layer.up, x)));
}

at::Tensor unit_rows(const at::Tensor& x) {
  const at::Tensor wide = x.to(at::kFloat);
  return wide / wide.norm(2, -1, true).clamp_min(1e-12);
}

}  // namespace fineprint::nets
