// From a vision tower's patches to tokens of a decoder.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <ATen/core/Tensor.h>

#include "fineprint/models/model_spec.h"

#include "nets/layers/layers.h"

namespace fineprint::nets {

// Sources: Wang et al., "Qwen2-VL" (2024), section 2.1; Meng et al., "DeepStack" (2024), 3.1.
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

// Tokens of the tiles, row by row over the whole grid, a separator after each row; a separator; the
// same for the global view. Source: Dong et al., "InternLM-XComposer2-4KHD" (2024), section 3.2.
class TileConnectorNet {
 public:
  TileConnectorNet(const models::TileConnector& spec, const Weights& weights);
  // views [1 + rows * columns, patches, in], the global one first -> [tokens, out]
  at::Tensor forward(const at::Tensor& views, std::int64_t rows, std::int64_t columns) const;

 private:
  at::Tensor with_row_ends(const at::Tensor& views, std::int64_t rows, std::int64_t columns) const;

  models::TileConnector spec_;
  at::Tensor row_end_, view_end_;  // [merge^2 * in]
  Linear up_, down_;
};

class LinearConnectorNet {
 public:
  explicit LinearConnectorNet(const Weights& weights);
  // [patches, in] -> [patches, out]
  at::Tensor forward(const at::Tensor& patches) const;

 private:
  Linear linear_;
};

// Source: Chen et al., "InternVL 1.5" (2024), section 3.1 (pixel shuffle).
class ShuffleConnectorNet {
 public:
  ShuffleConnectorNet(const models::ShuffleConnector& spec, const Weights& weights);
  // [views, patches, in], patches row by row of a square -> [views * patches / merge^2, out]
  at::Tensor forward(const at::Tensor& views) const;

 private:
  models::ShuffleConnector spec_;
  Linear linear_;
};

class PoolConnectorNet {
 public:
  PoolConnectorNet(const models::PoolConnector& spec, const Weights& weights);
  // [views, patches, in], patches row by row of a square -> [views * patches / pool^2, out]
  at::Tensor forward(const at::Tensor& views) const;

 private:
  models::PoolConnector spec_;
  Norm norm_;
  Linear linear_;
};

// [views, patches, in] -> [views, patches / merge^2, merge^2 * in]: row by row, the patches of a
// token behind each other, row by row too. Source: the same.
at::Tensor shuffle_patches(const at::Tensor& views, std::int64_t merge);

}  // namespace fineprint::nets
