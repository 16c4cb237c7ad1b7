// Connectors: from a vision tower's patches to tokens of a decoder.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <ATen/core/Tensor.h>

#include "fineprint/models/model_spec.h"

#include "nets/layers/layers.h"

namespace fineprint::nets {

// The connector after towers of native sizes. Sources: Wang et al., "Qwen2-VL" (2024), section 2.1;
// Meng et al., "DeepStack" (2024), 3.1.
class MergeConnectorNet {
 public:
  MergeConnectorNet(const models::MergeConnector& spec, const Weights& weights);
  // Returns tokens [P / merge^2, out] for patches [P, in], in which the patches of a token follow
  // each other. Depth 0 is the tower's output; further depths count from 1.
  at::Tensor forward(const at::Tensor& patches, std::size_t depth) const;

 private:
  struct Layers {
    Norm norm;
    Linear up, down;
  };
  static Layers take_layers(const models::MergeConnector& spec, const WeightScope& weights);

  models::MergeConnector spec_;
  std::vector<Layers> depths_;
};

// The connector after such a tower that merges patches at their own width first; see
// models::PatchMergeConnector.
class PatchMergeConnectorNet {
 public:
  PatchMergeConnectorNet(const models::PatchMergeConnector& spec, const Weights& weights);
  // Returns tokens [P / merge^2, out] for patches [P, in], in which the patches of a token follow
  // each other.
  at::Tensor forward(const at::Tensor& patches) const;

 private:
  models::PatchMergeConnector spec_;
  Norm norm_;
  Linear merge_, up_, down_;
};

// The connector after towers that read several views of their own sizes; see
// models::UnshuffleConnector.
class UnshuffleConnectorNet {
 public:
  UnshuffleConnectorNet(const models::UnshuffleConnector& spec, const Weights& weights);
  // Returns tokens [rows * columns / merge^2, out] for the patches [rows * columns, in] of a view,
  // row by row.
  at::Tensor forward(const at::Tensor& patches, std::int64_t rows, std::int64_t columns) const;

 private:
  models::UnshuffleConnector spec_;
  std::optional<Norm> norm_;
  Linear up_, down_;
};

// A connector after towers of a fixed size, which read one or several views of an image.
class ViewConnector {
 public:
  virtual ~ViewConnector() = default;
  // Returns tokens [T, out] for views [V, patches, in]; the patches of a view are a square, row by
  // row. If an image is cut into tiles, there are `rows` x `columns` of them, and the full image is
  // one more view.
  virtual at::Tensor forward(const at::Tensor& views, std::int64_t rows,
                             std::int64_t columns) const = 0;
};

// Returns the model's connector, or nullptr if it has none of this kind.
std::unique_ptr<const ViewConnector> take_view_connector(const models::Connector& spec,
                                                         const Weights& weights);

// Turns [views, patches, in] into [views, patches / merge^2, merge^2 * in]. Tokens come row by row,
// and so do the patches of one token. Source: Chen et al., "InternVL 1.5" (2024), section 3.1
// (pixel shuffle).
at::Tensor shuffle_patches(const at::Tensor& views, std::int64_t merge);

}  // namespace fineprint::nets
