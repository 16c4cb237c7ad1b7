// Products, sums and norms.
#include <numeric>

#include <ATen/ops/layer_norm.h>
#include <ATen/ops/log_softmax.h>
#include <ATen/ops/softmax.h>

#include "fineprint/core/format.h"

#include "nets/graphs/operators.h"

namespace fineprint::nets {
namespace {

// The axes to reduce. Without any, all are meant, or none if the node says so.
std::vector<std::int64_t> reduced_axes(const Call& call) {
  std::vector<std::int64_t> axes = call.integers(1, "axes");
  const std::int64_t dimensions = call.at(0).dim();
  if (axes.empty() && call.integer("noop_with_empty_axes", 0) == 0) {
    axes.resize(static_cast<std::size_t>(dimensions));
    std::iota(axes.begin(), axes.end(), 0);
    return axes;
  }
  for (std::int64_t& axis : axes) axis = axis_of(call, axis, dimensions);
  return axes;
}

template <typename Reduce>
Tensors reduced(const Call& call, const Reduce& reduce) {
  const std::vector<std::int64_t> axes = reduced_axes(call);
  if (axes.empty()) return {call.at(0)};
  return {reduce(call.at(0), axes, call.integer("keepdims", 1) != 0)};
}

Tensors reduce_mean(const Call& call) {
  return reduced(call, [](const at::Tensor& x, at::IntArrayRef axes, bool keep) {
    return x.mean(axes, keep);
  });
}

Tensors reduce_sum(const Call& call) {
  return reduced(call, [](const at::Tensor& x, at::IntArrayRef axes, bool keep) {
    return x.sum(axes, keep, x.scalar_type());
  });
}

Tensors reduce_max(const Call& call) {
  return reduced(call, [](const at::Tensor& x, at::IntArrayRef axes, bool keep) {
    return x.amax(axes, keep);
  });
}

Tensors reduce_min(const Call& call) {
  return reduced(call, [](const at::Tensor& x, at::IntArrayRef axes, bool keep) {
    return x.amin(axes, keep);
  });
}

Tensors reduce_norm(const Call& call) {
  return reduced(call, [](const at::Tensor& x, at::IntArrayRef axes, bool keep) {
    return x.mul(x).sum(axes, keep).sqrt();
  });
}

Tensors multiply_matrices(const Call& call) { return {call.at(0).matmul(call.at(1))}; }

// alpha A B + beta C, with A and B transposed if the node says so.
Tensors general_product(const Call& call) {
  const bool turn_a = call.integer("transA", 0) != 0, turn_b = call.integer("transB", 0) != 0;
  const at::Tensor a = turn_a ? call.at(0).t() : call.at(0);
  const at::Tensor b = turn_b ? call.at(1).t() : call.at(1);
  at::Tensor product = a.matmul(b);
  if (const double alpha = call.real("alpha", 1); alpha != 1) product = product * alpha;
  if (!call.has(2)) return {product};
  const double beta = call.real("beta", 1);
  return {product + (beta == 1 ? call.at(2) : call.at(2) * beta)};
}

// Before version 13, all axes from `axis` on were one.
template <bool kLogarithm>
Tensors soft_maximum(const Call& call) {
  const at::Tensor& x = call.at(0);
  const auto of = [](const at::Tensor& values, std::int64_t axis) {
    return kLogarithm ? at::log_softmax(values, axis) : at::softmax(values, axis);
  };
  if (call.opset >= 13) return {of(x, axis_of(call, call.integer("axis", -1), x.dim()))};
  const std::int64_t axis = axis_of(call, call.integer("axis", 1), x.dim());
  return {of(x.flatten(axis), axis).reshape(x.sizes())};
}

Tensors layer_norm(const Call& call) {
  if (call.node.outputs.size() > 1) call.fail("only its first output is supported");
  const at::Tensor& x = call.at(0);
  const std::int64_t axis = axis_of(call, call.integer("axis", -1), x.dim());
  const at::IntArrayRef shape = x.sizes().slice(static_cast<std::size_t>(axis));
  const std::optional<at::Tensor> bias = call.has(2) ? std::optional(call.at(2)) : std::nullopt;
  return {at::layer_norm(x, shape, call.at(1), bias, call.real("epsilon", 1e-5))};
}

}  // namespace

Operators reduction_operators() {
  return {
      {"Gemm", general_product},          {"LayerNormalization", layer_norm},
      {"LogSoftmax", soft_maximum<true>}, {"MatMul", multiply_matrices},
      {"ReduceL2", reduce_norm},          {"ReduceMax", reduce_max},
      {"ReduceMean", reduce_mean},        {"ReduceMin", reduce_min},
      {"ReduceSum", reduce_sum},          {"Softmax", soft_maximum<false>},
  };
}

}  // namespace fineprint::nets
