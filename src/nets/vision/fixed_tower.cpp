// Runs a vision transformer over images of one size.
#include "nets/vision/fixed_tower.h"

#include <cmath>

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/bucketize.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/conv2d.h>
#include <ATen/ops/empty.h>

#include "fineprint/core/format.h"

namespace fineprint::nets {
namespace {

// Returns at::arange(step, 1.0, step, at::kFloat) as LibTorch rounds it on x86-64 with AVX2, where
// the reference ran: eight at a time, from the first of them in single precision. On ARM it rounds
// otherwise, and then patches fall on the other side of a border.
at::Tensor rounded_borders(double step) {
  constexpr std::int64_t kAtOnce = 8;
  const auto count = static_cast<std::int64_t>(std::ceil((1.0 - step) / step));
  const std::int64_t whole = count / (2 * kAtOnce) * (2 * kAtOnce);
  at::Tensor borders = at::empty({count}, at::kFloat);
  auto* const values = borders.mutable_data_ptr<float>();
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t lane = i < whole ? i % kAtOnce : 0;
    const auto first = static_cast<float>(step + step * static_cast<double>(i - lane));
    values[i] = static_cast<float>(double{first} + step * static_cast<double>(lane));
  }
  return borders;
}

}  // namespace

at::Tensor bucketed_positions(std::int64_t side) {
  // In the reference's steps and in single precision: they decide on which side of a boundary a
  // patch falls.
  const double step = 1.0 / static_cast<double>(side);
  const at::Tensor borders = rounded_borders(step);
  const at::Tensor shares =
      (at::arange(side, at::kFloat) * static_cast<float>(step)).clamp_max(1.0 - 1e-6);
  const at::Tensor places = at::bucketize(shares, borders, /*out_int32=*/false, /*right=*/true);
  return (places.unsqueeze(1) * side + places.unsqueeze(0)).flatten();
}

FixedTowerNet::FixedTowerNet(const models::FixedTower& spec, const Weights& weights) : spec_(spec) {
  const WeightScope tower(weights, "tower"), embeddings = tower["embeddings"];
  patch_ = take_linear(embeddings, "patch_embedding");
  if (spec.class_token) class_ = embeddings("class_embedding");
  position_ = embeddings["position_embedding"]("weight");
  if (spec.bucketed_positions) {
    const std::int64_t side = spec.image_size / spec.patch;
    position_ = position_.index_select(0, bucketed_positions(side).to(position_.device()));
  }
  const auto norm = [&](const char* name) {
    return take_norm(tower, name, models::NormKind::layer, spec.norm_eps);
  };
  if (spec.norm_before) norm_before_ = norm("pre_layrnorm");
  if (spec.norm_after) norm_after_ = norm("post_layernorm");
  for (int i = 0; i < spec.used_layers; ++i) {
    layers_.push_back(
        take_siglip_layer(tower[format("encoder.layers.{}", i)], spec.activation, spec.norm_eps));
  }
}

at::Tensor FixedTowerNet::forward(const at::Tensor& pixels) const {
  if (!pixels.is_cpu() || pixels.size(0) == 1) return see(pixels);
  // View by view, so that the activations of one layer are still in the caches for the next.
  std::vector<at::Tensor> views;
  for (const at::Tensor& view : pixels.split(1)) views.push_back(see(view));
  return at::cat(views);
}

at::Tensor FixedTowerNet::see(const at::Tensor& pixels) const {
  at::Tensor x = embed(pixels);  // [n, T, hidden]
  for (const SiglipLayer& layer : layers_) x = run_layer(layer, spec_.heads, x);
  if (spec_.class_token) x = x.narrow(1, 1, x.size(1) - 1);  // [n, patches, hidden]
  return spec_.norm_after ? apply(norm_after_, x) : x;
}

at::Tensor FixedTowerNet::embed(const at::Tensor& pixels) const {
  // A convolution and not a product of unfolded patches, because the reference uses one, and sharp
  // attention amplifies differences in rounding.
  const at::Tensor patches = at::conv2d(pixels, patch_.weight.values, patch_.bias, spec_.patch);
  // [n, hidden, side, side] -> [n, patches, hidden]. Made contiguous, because otherwise every sum
  // and norm of all layers would stride across rows.
  at::Tensor x = patches.flatten(2).transpose(1, 2).contiguous();
  const std::int64_t n = x.size(0);
  if (spec_.class_token) x = at::cat({class_.view({1, 1, -1}).expand({n, 1, -1}), x}, 1);
  x = x + position_;
  return spec_.norm_before ? apply(norm_before_, x) : x;
}

}  // namespace fineprint::nets
