// A vision transformer over images of one size.
#pragma once

#include <vector>

#include <ATen/core/Tensor.h>

#include "fineprint/models/model_spec.h"

#include "nets/layers/layers.h"
#include "nets/vision/siglip_layer.h"

namespace fineprint::nets {

// The tower. Sources: Dosovitskiy et al., "ViT" (2021), equations 1 to 4; models/model_spec.h.
class FixedTowerNet {
 public:
  FixedTowerNet(const models::FixedTower& spec, const Weights& weights);
  // Returns [n, patches, hidden] for pixels [n, 3, image_size, image_size]. Drops the class token.
  at::Tensor forward(const at::Tensor& pixels) const;

 private:
  // Runs all layers over one or several views.
  at::Tensor see(const at::Tensor& pixels) const;
  at::Tensor embed(const at::Tensor& pixels) const;

  models::FixedTower spec_;
  Linear patch_;         // [hidden, 3, patch, patch]
  at::Tensor class_;     // [hidden], or undefined
  at::Tensor position_;  // [tokens, hidden]
  Norm norm_before_, norm_after_;
  std::vector<SiglipLayer> layers_;
};

// Returns which learned position each patch of a square image has, row by row: [side * side].
at::Tensor bucketed_positions(std::int64_t side);

}  // namespace fineprint::nets
