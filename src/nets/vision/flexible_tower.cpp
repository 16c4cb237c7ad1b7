// Runs a vision transformer over views of any size.
#include "nets/vision/flexible_tower.h"

#include <cmath>

#include <ATen/TensorOperators.h>
#include <ATen/ops/_upsample_bilinear2d_aa.h>

#include "fineprint/core/format.h"

namespace fineprint::nets {

at::Tensor resize_positions(const at::Tensor& table, ViewSize size) {
  const std::int64_t side = std::llround(std::sqrt(static_cast<double>(table.size(0))));
  // In float32 even for weights in half precision, as the reference computes it.
  const at::Tensor square =
      table.to(at::kFloat).view({side, side, -1}).permute({2, 0, 1}).unsqueeze(0);
  const at::Tensor resized =
      at::_upsample_bilinear2d_aa(square, size, /*align_corners=*/false, {}, {});
  return resized.flatten(2)[0].t().to(table.scalar_type());
}

FlexibleTowerNet::FlexibleTowerNet(const models::FlexibleTower& spec, const Weights& weights)
    : spec_(spec) {
  const WeightScope tower(weights, "tower"), embeddings = tower["embeddings"];
  const WeightScope patch = embeddings["patch_embedding"];
  at::Tensor matrix = patch("weight");
  // The channels of a pixel follow each other, as in the preprocessing.
  if (spec.patch_planes) matrix = matrix.permute({0, 2, 3, 1});
  patch_ = {{matrix.reshape({spec.hidden, -1}).contiguous(), {}}, patch.if_there("bias")};
  positions_ = embeddings["position_embedding"]("weight");
  norm_after_ = take_norm(tower, "post_layernorm", models::NormKind::layer, spec.norm_eps);
  for (int i = 0; i < spec.layers; ++i) {
    layers_.push_back(
        take_siglip_layer(tower[format("encoder.layers.{}", i)], spec.activation, spec.norm_eps));
  }
}

at::Tensor FlexibleTowerNet::forward(const at::Tensor& pixels, ViewSize size) const {
  at::Tensor x = (apply(patch_, pixels) + resize_positions(positions_, size)).unsqueeze(0);
  for (const SiglipLayer& layer : layers_) x = run_layer(layer, spec_.heads, x);
  return apply(norm_after_, x)[0];
}

}  // namespace fineprint::nets
