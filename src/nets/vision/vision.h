// Turns processed images into the features that fill their slots in a prompt.
#pragma once

#include <memory>
#include <optional>
#include <variant>

#include <ATen/core/Tensor.h>

#include "fineprint/models/model_spec.h"
#include "fineprint/preprocess/image_processor.h"

#include "nets/decoder/decoder_input.h"
#include "nets/vision/connectors.h"
#include "nets/vision/fixed_tower.h"
#include "nets/vision/flexible_tower.h"
#include "nets/vision/native_tower.h"

namespace fineprint::nets {

// A vision tower and its connector, of any kind.
class Vision {
 public:
  Vision(const models::ModelSpec& spec, const Weights& weights);
  // Returns the features of an image; they are as wide as the trunk. Throws Error(internal) if the
  // model has no tower.
  ImageFeatures features(const preprocess::PixelInput& image, const Tap& tap = {}) const;
  // Returns how many depths the features have.
  std::int64_t depths() const;

 private:
  ImageFeatures connect(const NativeTowerNet& tower, const at::Tensor& pixels,
                        const preprocess::PixelInput& image, const Tap& tap) const;
  ImageFeatures connect(const FlexibleTowerNet& tower, const at::Tensor& pixels,
                        const preprocess::PixelInput& image, const Tap& tap) const;
  ImageFeatures connect(const FixedTowerNet& tower, const at::Tensor& pixels,
                        const preprocess::PixelInput& image, const Tap& tap) const;

  at::TensorOptions options_;
  std::variant<std::monostate, FixedTowerNet, FlexibleTowerNet, NativeTowerNet> tower_;
  std::optional<MergeConnectorNet> merge_;             // after a tower of native sizes
  std::optional<PatchMergeConnectorNet> patch_merge_;  // in place of it
  std::optional<UnshuffleConnectorNet> unshuffle_;     // after a flexible tower
  std::unique_ptr<const ViewConnector> views_;         // after a tower of fixed size
};

}  // namespace fineprint::nets
