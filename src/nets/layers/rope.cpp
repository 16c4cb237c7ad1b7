// Computes rotary position embeddings.
#include "nets/layers/rope.h"

#include <cmath>

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/pow.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/tensor.h>

namespace fineprint::nets {
namespace {

// Returns theta^(-2i/d) for each i below d/2.
at::Tensor frequencies(double theta, std::int64_t d) {
  const at::Tensor exponents = at::arange(0, d, 2, at::kFloat).div_(static_cast<double>(d));
  return at::pow(theta, exponents).reciprocal_();  // [d/2]
}

at::Tensor as_floats(const std::vector<std::int64_t>& values) {
  return at::tensor(values, at::kLong).to(at::kFloat);
}

Rotation from_angles(const at::Tensor& angles, double magnitude, const at::TensorOptions& options) {
  const at::Tensor both = at::cat({angles, angles}, -1);  // [T, d]
  return {both.cos().mul_(magnitude).to(options), both.sin().mul_(magnitude).to(options)};
}

// Returns which axis (0 time, 1 height, 2 width) each of a head's d/2 frequencies follows.
std::vector<std::int64_t> axes_of(const models::Rope& rope, std::int64_t half) {
  std::vector<std::int64_t> axes;
  // Qwen3-VL's order: the axes alternate, and time gets what the other two leave over.
  if (rope.interleaved) {
    for (std::int64_t i = 0; i < half; ++i) {
      const std::int64_t axis = i % 3;
      axes.push_back(i < 3 * rope.sections[static_cast<std::size_t>(axis)] ? axis : 0);
    }
    return axes;
  }
  for (std::size_t axis = 0; axis < rope.sections.size(); ++axis) {
    axes.insert(axes.end(), static_cast<std::size_t>(rope.sections[axis]),
                static_cast<std::int64_t>(axis));
  }
  return axes;
}

at::Tensor scaled_frequencies(const models::Rope& rope, std::int64_t d, std::int64_t extent) {
  const at::Tensor plain = frequencies(rope.theta, d);
  if (rope.short_factors.empty()) return plain;
  // The factors depend on the length of the entire call and not of this part, because all tokens of
  // a sequence must be rotated alike.
  const auto& factors = extent > rope.original_positions ? rope.long_factors : rope.short_factors;
  return plain / at::tensor(factors, at::kDouble).to(at::kFloat);
}

}  // namespace

at::Tensor rotate(const at::Tensor& x, const Rotation& rotation) {
  // Some models rotate only the first part of each head (Rope::width).
  const std::int64_t width = rotation.cosine.size(-1), rest = x.size(-1) - width;
  if (rest > 0) {
    return at::cat({rotate(x.narrow(-1, 0, width), rotation), x.narrow(-1, width, rest)}, -1);
  }
  const std::int64_t half = x.size(-1) / 2;
  const at::Tensor turned = at::cat({x.narrow(-1, half, half).neg(), x.narrow(-1, 0, half)}, -1);
  return (x * rotation.cosine).add_(turned.mul_(rotation.sine));
}

Rotation decoder_rotation(const models::Rope& rope, std::int64_t head_dim,
                          const Positions& positions, const at::TensorOptions& options) {
  const at::Tensor base = scaled_frequencies(rope, head_dim, positions.extent);  // [d/2]
  if (rope.sections.empty()) {
    const at::Tensor angles = as_floats(positions.values[0]).unsqueeze(1) * base;  // [T, d/2]
    return from_angles(angles, rope.magnitude, options);
  }
  const at::Tensor all = at::stack({as_floats(positions.values[0]), as_floats(positions.values[1]),
                                    as_floats(positions.values[2])},
                                   1);  // [T, 3]
  const at::Tensor axes = at::tensor(axes_of(rope, head_dim / 2), at::kLong);
  return from_angles(all.index_select(1, axes) * base, rope.magnitude, options);
}

Rotation patch_rotation(const PatchRope& rope, const std::vector<std::int64_t>& rows,
                        const std::vector<std::int64_t>& columns,
                        const at::TensorOptions& options) {
  const at::Tensor pairs = frequencies(rope.theta, rope.head_dim).view({-1, 2});  // [d/4, 2]
  const at::Tensor of_rows = pairs.select(1, 0);
  const at::Tensor of_columns = rope.alternating ? pairs.select(1, 1) : of_rows;
  const at::Tensor angles = at::cat(
      {as_floats(rows).unsqueeze(1) * of_rows, as_floats(columns).unsqueeze(1) * of_columns},
      1);  // [P, d/2]
  return from_angles(angles, 1, options);
}

}  // namespace fineprint::nets
