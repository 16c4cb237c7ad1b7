// From processed images to the features that take their slots in a prompt.
#include "nets/vision/vision.h"

#include <ATen/ops/argsort.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/tensor.h>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

namespace fineprint::nets {
namespace {

[[noreturn]] void misfit(const char* what) {
  throw Error(ErrorCode::internal, std::string("a recipe joins parts that do not fit: ") + what);
}

}  // namespace

Vision::Vision(const models::ModelSpec& spec, const Weights& weights)
    : options_(weights.device().options()) {
  if (const auto* fixed = std::get_if<models::FixedTower>(&spec.tower)) {
    tower_.emplace<FixedTowerNet>(*fixed, weights);
  } else if (const auto* native = std::get_if<models::NativeTower>(&spec.tower)) {
    tower_.emplace<NativeTowerNet>(*native, weights);
  }
  if (const auto* merge = std::get_if<models::MergeConnector>(&spec.connector)) {
    connector_.emplace<MergeConnectorNet>(*merge, weights);
  } else if (const auto* tile = std::get_if<models::TileConnector>(&spec.connector)) {
    connector_.emplace<TileConnectorNet>(*tile, weights);
  } else if (const auto* shuffle = std::get_if<models::ShuffleConnector>(&spec.connector)) {
    connector_.emplace<ShuffleConnectorNet>(*shuffle, weights);
  } else if (const auto* pool = std::get_if<models::PoolConnector>(&spec.connector)) {
    connector_.emplace<PoolConnectorNet>(*pool, weights);
  } else if (std::holds_alternative<models::LinearConnector>(spec.connector)) {
    connector_.emplace<LinearConnectorNet>(weights);
  }
}

ImageFeatures Vision::features(const preprocess::PixelInput& image, const Tap& tap) const {
  // LibTorch has no read-only tensors; nothing writes to the pixels.
  const at::Tensor pixels =
      at::from_blob(const_cast<float*>(image.values.data()), image.shape, at::kFloat).to(options_);
  if (const auto* native = std::get_if<NativeTowerNet>(&tower_)) {
    return connect(*native, pixels, image, tap);
  }
  if (const auto* fixed = std::get_if<FixedTowerNet>(&tower_)) {
    return connect(*fixed, pixels, image, tap);
  }
  misfit("images for a model without a tower");
}

std::int64_t Vision::depths() const {
  const auto* native = std::get_if<NativeTowerNet>(&tower_);
  return native == nullptr ? 1 : 1 + std::ssize(native->spec().deep_layers);
}

ImageFeatures Vision::connect(const NativeTowerNet& tower, const at::Tensor& pixels,
                              const preprocess::PixelInput& image, const Tap& tap) const {
  const auto* merge = std::get_if<MergeConnectorNet>(&connector_);
  if (merge == nullptr) misfit("a tower of native sizes needs a merging connector");
  const PatchLayout layout = patch_layout(tower.spec(), image.grid);
  const std::vector<at::Tensor> patches = tower.forward(pixels, layout, tap);
  const at::Tensor order =
      at::argsort(at::tensor(layout.block_order, at::kLong)).to(pixels.device());
  std::vector<at::Tensor> depths;
  for (std::size_t depth = 0; depth < patches.size(); ++depth) {
    const at::Tensor tokens = merge->forward(patches[depth], depth);  // [blocks, hidden]
    if (tap && depth == 0) tap("vision.merger_windowed_order", tokens);
    depths.push_back(tokens.index_select(0, order));
    if (tap) tap(depth == 0 ? "vision.features" : format("vision.depth{}", depth), depths[depth]);
  }
  return {at::stack(depths)};
}

ImageFeatures Vision::connect(const FixedTowerNet& tower, const at::Tensor& pixels,
                              const preprocess::PixelInput& image, const Tap& tap) const {
  const at::Tensor patches = tower.forward(pixels);  // [views, patches, in]
  if (tap) tap("vision.patches", patches);
  at::Tensor features;
  if (const auto* tile = std::get_if<TileConnectorNet>(&connector_)) {
    features = tile->forward(patches, image.grid[1], image.grid[2]);
  } else if (const auto* linear = std::get_if<LinearConnectorNet>(&connector_)) {
    features = linear->forward(patches.flatten(0, 1));
  } else if (const auto* shuffle = std::get_if<ShuffleConnectorNet>(&connector_)) {
    features = shuffle->forward(patches);
  } else if (const auto* pool = std::get_if<PoolConnectorNet>(&connector_)) {
    features = pool->forward(patches);
  } else {
    misfit("a tower of fixed size needs a tile, linear, shuffling or pooling connector");
  }
  if (tap) tap("vision.features", features);
  return {features.unsqueeze(0)};
}

}  // namespace fineprint::nets
