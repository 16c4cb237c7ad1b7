// From processed images to the features that take their slots in a prompt.
#pragma once

#include <memory>
#include <variant>

#include <ATen/core/Tensor.h>

#include "fineprint/models/image_processor.h"
#include "fineprint/models/model_spec.h"

#include "nets/connectors.h"
#include "nets/fixed_tower.h"
#include "nets/native_tower.h"

namespace fineprint::nets {

// A tower and its connector, whichever the model has.
class Vision {
 public:
  Vision(const models::ModelSpec& spec, const Weights& weights);
  // [tokens, hidden of the trunk]
  at::Tensor features(const models::PixelInput& image, const Tap& tap = {}) const;

 private:
  at::Tensor connect(const NativeTowerNet& tower, const at::Tensor& pixels,
                     const models::PixelInput& image, const Tap& tap) const;
  at::Tensor connect(const FixedTowerNet& tower, const at::Tensor& pixels,
                     const models::PixelInput& image, const Tap& tap) const;

  at::TensorOptions options_;
  std::variant<std::monostate, FixedTowerNet, NativeTowerNet> tower_;
  std::variant<std::monostate, MergeConnectorNet, TileConnectorNet, LinearConnectorNet> connector_;
};

}  // namespace fineprint::nets
