// The small layers that every network here is made of.
#include "nets/layers.h"

#include <vector>

#include <ATen/TensorOperators.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/gelu.h>
#include <ATen/ops/layer_norm.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/rsqrt.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/silu.h>

#include "nets/matvec.h"

namespace fineprint::nets {

Linear take_linear(const PartWeights& weights, const std::string& name) {
  const PartWeights below = weights[name];
  return {below("weight"), below.if_there("bias")};
}

namespace {

// A single row of float32 on the CPU, where LibTorch's product reads the weights at little more
// than half of the memory's speed.
bool is_one_row(const Linear& layer, const at::Tensor& x) {
  return x.is_cpu() && x.numel() == x.size(-1) && x.scalar_type() == at::kFloat &&
         layer.weight.scalar_type() == at::kFloat && layer.weight.is_contiguous();
}

at::Tensor apply_to_row(const Linear& layer, const at::Tensor& x) {
  std::vector<std::int64_t> shape = x.sizes().vec();
  shape.back() = layer.weight.size(0);
  at::Tensor y = at::empty(shape, x.options());
  matvec(layer.weight.const_data_ptr<float>(), x.contiguous().const_data_ptr<float>(),
         layer.bias.defined() ? layer.bias.const_data_ptr<float>() : nullptr, layer.weight.size(0),
         layer.weight.size(1), y.mutable_data_ptr<float>());
  return y;
}

}  // namespace

at::Tensor apply(const Linear& layer, const at::Tensor& x) {
  if (is_one_row(layer, x)) return apply_to_row(layer, x);
  return layer.bias.defined() ? at::linear(x, layer.weight, layer.bias)
                              : at::linear(x, layer.weight);
}

Norm take_norm(const PartWeights& weights, const std::string& name, models::NormKind kind,
               double eps) {
  const PartWeights below = weights[name];
  return {kind, below("weight"), below.if_there("bias"), eps};
}

at::Tensor apply(const Norm& norm, const at::Tensor& x) {
  if (norm.kind == models::NormKind::layer) {
    return at::layer_norm(x, {x.size(-1)}, norm.weight, norm.bias, norm.eps);
  }
  // In float32, whatever the weights are: squares overflow half precision.
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
  }
  return x;
}

at::Tensor apply(const FeedForward& layer, const at::Tensor& x) {
  if (!layer.gate.weight.defined()) {
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
