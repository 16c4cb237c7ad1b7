// A vision transformer over views of any size, with learned positions.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <ATen/core/Tensor.h>

#include "fineprint/models/model_spec.h"

#include "nets/layers/layers.h"
#include "nets/vision/siglip_layer.h"

namespace fineprint::nets {

// Rows and columns of patches of a view.
using ViewSize = std::array<std::int64_t, 2>;

// The tower. Source: Tschannen et al., "SigLIP 2" (2025), section 2.4.2 (NaFlex).
class FlexibleTowerNet {
 public:
  FlexibleTowerNet(const models::FlexibleTower& spec, const Weights& weights);
  // Returns the states [patches, hidden] of one view for its pixels [patches, patch * patch * 3],
  // row by row.
  at::Tensor forward(const at::Tensor& pixels, ViewSize size) const;

 private:
  models::FlexibleTower spec_;
  Linear patch_;
  at::Tensor positions_;  // [position_side^2, hidden]
  Norm norm_after_;
  std::vector<SiglipLayer> layers_;
};

// Returns positions [rows * columns, hidden] for a view from their square table [side^2, hidden]:
// resized with a bilinear filter, which is widened if there are fewer patches than positions.
at::Tensor resize_positions(const at::Tensor& table, ViewSize size);

}  // namespace fineprint::nets
