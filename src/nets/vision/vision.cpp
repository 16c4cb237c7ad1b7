// Turns processed images into the features that fill their slots in a prompt.
#include "nets/vision/vision.h"

#include <ATen/ops/argsort.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/tensor.h>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

namespace fineprint::nets {
namespace {

// A recipe in src/models decides which parts a model has, so this is a bug and not a bad file.
[[noreturn]] void misfit(const char* what) {
  throw Error(ErrorCode::internal,
              std::string("a model recipe combines parts that do not fit: ") + what);
}

}  // namespace

Vision::Vision(const models::ModelSpec& spec, const Weights& weights)
    : options_(weights.device().options()) {
  if (const auto* fixed = std::get_if<models::FixedTower>(&spec.tower)) {
    tower_.emplace<FixedTowerNet>(*fixed, weights);
  } else if (const auto* flexible = std::get_if<models::FlexibleTower>(&spec.tower)) {
    tower_.emplace<FlexibleTowerNet>(*flexible, weights);
  } else if (const auto* native = std::get_if<models::NativeTower>(&spec.tower)) {
    tower_.emplace<NativeTowerNet>(*native, weights);
  }
  if (const auto* merge = std::get_if<models::MergeConnector>(&spec.connector)) {
    merge_.emplace(*merge, weights);
  }
  if (const auto* merge = std::get_if<models::PatchMergeConnector>(&spec.connector)) {
    patch_merge_.emplace(*merge, weights);
  }
  if (const auto* unshuffle = std::get_if<models::UnshuffleConnector>(&spec.connector)) {
    unshuffle_.emplace(*unshuffle, weights);
  }
  views_ = take_view_connector(spec.connector, weights);
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
  if (const auto* flexible = std::get_if<FlexibleTowerNet>(&tower_)) {
    return connect(*flexible, pixels, image, tap);
  }
  misfit("images for a model without a tower");
}

// Only towers of native sizes can give features of inner layers (DeepStack).
std::int64_t Vision::depths() const {
  const auto* native = std::get_if<NativeTowerNet>(&tower_);
  return native == nullptr ? 1 : 1 + std::ssize(native->spec().deep_layers);
}

ImageFeatures Vision::connect(const NativeTowerNet& tower, const at::Tensor& pixels,
                              const preprocess::PixelInput& image, const Tap& tap) const {
  if (!merge_ && !patch_merge_) misfit("a tower of native sizes needs a merging connector");
  const PatchLayout layout = patch_layout(tower.spec(), image.grid);
  const std::vector<at::Tensor> patches = tower.forward(pixels, layout, tap);
  // The order that undoes the sorting by windows.
  const at::Tensor order =
      at::argsort(at::tensor(layout.block_order, at::kLong)).to(pixels.device());
  std::vector<at::Tensor> depths;
  for (std::size_t depth = 0; depth < patches.size(); ++depth) {
    const at::Tensor tokens = patch_merge_ ? patch_merge_->forward(patches[depth])
                                           : merge_->forward(patches[depth], depth);
    // [blocks, hidden]
    if (tap && depth == 0) tap("vision.merger_windowed_order", tokens);
    depths.push_back(tokens.index_select(0, order));
    if (tap) tap(depth == 0 ? "vision.features" : format("vision.depth{}", depth), depths[depth]);
  }
  return {at::stack(depths)};
}

ImageFeatures Vision::connect(const FlexibleTowerNet& tower, const at::Tensor& pixels,
                              const preprocess::PixelInput& image, const Tap& tap) const {
  if (!unshuffle_) misfit("a tower of views of their own sizes needs a connector for these");
  std::vector<at::Tensor> patches, tokens;
  std::int64_t first = 0;
  // View by view, so that no patch is compared with padding.
  for (const auto& [rows, columns] : image.views) {
    patches.push_back(tower.forward(pixels.narrow(0, first, rows * columns), {rows, columns}));
    tokens.push_back(unshuffle_->forward(patches.back(), rows, columns));
    first += rows * columns;
  }
  if (tap) tap("vision.patches", at::cat(patches));
  const at::Tensor features = at::cat(tokens);
  if (tap) tap("vision.features", features);
  return {features.unsqueeze(0)};
}

ImageFeatures Vision::connect(const FixedTowerNet& tower, const at::Tensor& pixels,
                              const preprocess::PixelInput& image, const Tap& tap) const {
  const at::Tensor patches = tower.forward(pixels);  // [views, patches, in]
  if (tap) tap("vision.patches", patches);
  if (views_ == nullptr) misfit("a tower of fixed size needs a connector of views");
  const at::Tensor features = views_->forward(patches, image.grid[1], image.grid[2]);
  if (tap) tap("vision.features", features);
  return {features.unsqueeze(0)};
}

}  // namespace fineprint::nets
