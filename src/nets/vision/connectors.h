// From a vision tower's patches to tokens of a decoder.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <ATen/core/Tensor.h>

#include "fineprint/models/model_spec.h"

#include "nets/layers/layers.h"

namespace fineprint::nets {

// Behind towers of native sizes. Sources: Wang et al., "Qwen2-VL" (2024), section 2.1; Meng et al.,
// "DeepStack" (2024), 3.1.
class MergeConnectorNet {
 public:
  MergeConnectorNet(const models::MergeConnector& spec, const Weights& weights);
  // [P, in], patches of a token behind each other -> [P / merge^2, out]. Depth 0 is the tower's
  // output, the further ones are counted from 1.
  at::Tensor forward(const at::Tensor& patches, std::size_t depth) const;

 private:
  struct Layers {
    Norm norm;
    Linear up, down;
  };
  static Layers take_layers(const models::MergeConnector& spec, const PartWeights& weights);

  models::MergeConnector spec_;
  std::vector<Layers> depths_;
};

// Behind towers of a fixed size, which look at one view of an image or several.
class ViewConnector {
 public:
  virtual ~ViewConnector() = default;
  // views [V, patches, in], patches row by row of a square -> [tokens, out]. Of an image cut into
  // tiles these are `rows` x `columns`, and the whole image is one more view.
  virtual at::Tensor forward(const at::Tensor& views, std::int64_t rows,
                             std::int64_t columns) const = 0;
};

// The one that the model has; nullptr when it has none of this kind.
std::unique_ptr<const ViewConnector> take_view_connector(const models::Connector& spec,
                                                         const Weights& weights);

// [views, patches, in] -> [views, patches / merge^2, merge^2 * in]: row by row, the patches of a
// token behind each other, row by row too. Source: Chen et al., "InternVL 1.5" (2024), section 3.1
// (pixel shuffle).
at::Tensor shuffle_patches(const at::Tensor& views, std::int64_t merge);

}  // namespace fineprint::nets
