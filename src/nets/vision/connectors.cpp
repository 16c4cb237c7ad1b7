// Turns a vision tower's patches into tokens of a decoder.
#include "nets/vision/connectors.h"

#include <cmath>

#include <ATen/ops/cat.h>

#include "fineprint/core/format.h"

namespace fineprint::nets {
namespace {

std::int64_t root_of(std::int64_t square) {
  return std::llround(std::sqrt(static_cast<double>(square)));
}

// Joins tiles and a global view. The tokens of the tiles come row by row over the full grid, with a
// separator after each row; then one separator; then the global view, which is the first view, in
// the same way. Source: Dong et al., "InternLM-XComposer2-4KHD" (2024), section 3.2.
class TileConnectorNet final : public ViewConnector {
 public:
  TileConnectorNet(const models::TileConnector& spec, const Weights& weights) : spec_(spec) {
    const WeightScope connector(weights, "connector");
    row_end_ = connector("sub_GN").flatten();
    view_end_ = connector("glb_GN").flatten();
    up_ = take_linear(connector, "img_projection.0");
    down_ = take_linear(connector, "img_projection.2");
  }

  at::Tensor forward(const at::Tensor& views, std::int64_t rows,
                     std::int64_t columns) const override {
    const at::Tensor global = with_row_ends(views.narrow(0, 0, 1), 1, 1);
    const at::Tensor tiles = with_row_ends(views.narrow(0, 1, rows * columns), rows, columns);
    const at::Tensor tokens =
        at::cat({tiles, view_end_.unsqueeze(0), global});  // [T, merge^2 * in]
    return apply(down_, activate(models::Activation::gelu, apply(up_, tokens)));
  }

 private:
  at::Tensor with_row_ends(const at::Tensor& views, std::int64_t rows, std::int64_t columns) const {
    const std::int64_t side = root_of(views.size(1));
    const std::int64_t merge = spec_.merge, tokens = side / merge, width = row_end_.size(0);
    const at::Tensor grid =
        views
            .view({rows, columns, tokens, merge, tokens, merge, spec_.in})
            // Rows of tokens run across all tiles of a row of tiles, hence the permutation.
            .permute({0, 2, 1, 4, 3, 5, 6})  // [rows, tokens, columns, tokens, merge, merge, in]
            .reshape({rows * tokens, columns * tokens, width});
    const at::Tensor ends = row_end_.view({1, 1, width}).expand({rows * tokens, 1, width});
    return at::cat({grid, ends}, 1).view({-1, width});
  }

  models::TileConnector spec_;
  at::Tensor row_end_, view_end_;  // [merge^2 * in]
  Linear up_, down_;
};

// One projection of every patch (PaliGemma).
class LinearConnectorNet final : public ViewConnector {
 public:
  explicit LinearConnectorNet(const Weights& weights)
      : linear_(take_linear(WeightScope(weights, "connector"), "linear")) {}

  at::Tensor forward(const at::Tensor& views, std::int64_t /*rows*/,
                     std::int64_t /*columns*/) const override {
    return apply(linear_, views.flatten(0, 1));
  }

 private:
  Linear linear_;
};

// Joins merge x merge patches into one token. Source: Chen et al., "InternVL 1.5" (2024),
// section 3.1 (pixel shuffle).
class ShuffleConnectorNet final : public ViewConnector {
 public:
  ShuffleConnectorNet(const models::ShuffleConnector& spec, const Weights& weights)
      : spec_(spec), linear_(take_linear(WeightScope(weights, "connector"), "proj")) {}

  at::Tensor forward(const at::Tensor& views, std::int64_t /*rows*/,
                     std::int64_t /*columns*/) const override {
    return apply(linear_, shuffle_patches(views, spec_.merge).flatten(0, 1));
  }

 private:
  models::ShuffleConnector spec_;
  Linear linear_;
};

// Averages pool x pool patches into one token (Gemma 3).
class PoolConnectorNet final : public ViewConnector {
 public:
  PoolConnectorNet(const models::PoolConnector& spec, const Weights& weights) : spec_(spec) {
    const WeightScope connector(weights, "connector");
    norm_ = take_norm(connector, "mm_soft_emb_norm", models::NormKind::rms, spec.norm_eps);
    if (spec.norm_plus_one) norm_.weight = norm_.weight + 1;
    // Stored as [in, out]; all other linear layers are [out, in].
    linear_.weight.values = connector("mm_input_projection_weight").t().contiguous();
  }

  at::Tensor forward(const at::Tensor& views, std::int64_t /*rows*/,
                     std::int64_t /*columns*/) const override {
    const std::int64_t pool = spec_.pool, tokens = root_of(views.size(1)) / pool;
    const at::Tensor pooled =
        views.reshape({-1, tokens, pool, tokens, pool, views.size(2)}).mean({2, 4});
    return apply(linear_, apply(norm_, pooled.view({-1, views.size(2)})));
  }

 private:
  models::PoolConnector spec_;
  Norm norm_;
  Linear linear_;
};

}  // namespace

MergeConnectorNet::MergeConnectorNet(const models::MergeConnector& spec, const Weights& weights)
    : spec_(spec), depths_{take_layers(spec, WeightScope(weights, "connector"))} {
  const WeightScope further(weights, "further connectors");
  for (int i = 0; i < spec.further_depths; ++i) {
    depths_.push_back(take_layers(spec, further[format("{}", i)]));
  }
}

MergeConnectorNet::Layers MergeConnectorNet::take_layers(const models::MergeConnector& spec,
                                                         const WeightScope& weights) {
  return {take_norm(weights, "ln_q", spec.norm, spec.norm_eps), take_linear(weights, "mlp.0"),
          take_linear(weights, "mlp.2")};
}

at::Tensor MergeConnectorNet::forward(const at::Tensor& patches, std::size_t depth) const {
  const Layers& layers = depths_[depth];
  const auto merge = [&](const at::Tensor& x) {
    return x.view({-1, std::int64_t{spec_.in} * spec_.merge * spec_.merge});
  };
  // Only the first depth is normed before merging; the further ones after it, as in Qwen3-VL.
  const at::Tensor merged =
      depth == 0 ? merge(apply(layers.norm, patches)) : apply(layers.norm, merge(patches));
  return apply(layers.down, activate(models::Activation::gelu, apply(layers.up, merged)));
}

PatchMergeConnectorNet::PatchMergeConnectorNet(const models::PatchMergeConnector& spec,
                                               const Weights& weights)
    : spec_(spec) {
  const WeightScope connector(weights, "connector");
  norm_ = take_norm(connector, "norm", models::NormKind::rms, spec.norm_eps);
  merge_ = take_linear(connector, "patch_merger.merging_layer");
  up_ = take_linear(connector, "linear_1");
  down_ = take_linear(connector, "linear_2");
}

at::Tensor PatchMergeConnectorNet::forward(const at::Tensor& patches) const {
  const std::int64_t block = std::int64_t{spec_.merge} * spec_.merge;
  // The merging matrix has the patches of one channel next to each other.
  const at::Tensor blocks = apply(norm_, patches)
                                .view({-1, block, spec_.in})
                                .transpose(1, 2)
                                .reshape({-1, spec_.in * block});
  const at::Tensor merged = apply(merge_, blocks);  // [tokens, in]
  return apply(down_, activate(models::Activation::gelu, apply(up_, merged)));
}

UnshuffleConnectorNet::UnshuffleConnectorNet(const models::UnshuffleConnector& spec,
                                             const Weights& weights)
    : spec_(spec) {
  const WeightScope connector(weights, "connector");
  if (spec.norm) {
    norm_ = take_norm(connector, "layer_norm", models::NormKind::layer, spec.norm_eps);
  }
  up_ = take_linear(connector, "linear_1");
  down_ = take_linear(connector, "linear_2");
}

at::Tensor UnshuffleConnectorNet::forward(const at::Tensor& patches, std::int64_t rows,
                                          std::int64_t columns) const {
  const std::int64_t merge = spec_.merge;
  at::Tensor merged = patches.view({rows / merge, merge, columns / merge, merge, spec_.in})
                          .transpose(1, 2)  // [rows, columns, merge, merge, in]
                          .reshape({-1, merge * merge * spec_.in});
  if (norm_) merged = apply(*norm_, merged);
  return apply(down_, activate(models::Activation::gelu, apply(up_, merged)));
}

std::unique_ptr<const ViewConnector> take_view_connector(const models::Connector& spec,
                                                         const Weights& weights) {
  if (const auto* tile = std::get_if<models::TileConnector>(&spec)) {
    return std::make_unique<TileConnectorNet>(*tile, weights);
  }
  if (const auto* shuffle = std::get_if<models::ShuffleConnector>(&spec)) {
    return std::make_unique<ShuffleConnectorNet>(*shuffle, weights);
  }
  if (const auto* pool = std::get_if<models::PoolConnector>(&spec)) {
    return std::make_unique<PoolConnectorNet>(*pool, weights);
  }
  if (std::holds_alternative<models::LinearConnector>(spec)) {
    return std::make_unique<LinearConnectorNet>(weights);
  }
  return nullptr;
}

at::Tensor shuffle_patches(const at::Tensor& views, std::int64_t merge) {
  const std::int64_t in = views.size(2), tokens = root_of(views.size(1)) / merge;
  return views.view({-1, tokens, merge, tokens, merge, in})
      .permute({0, 1, 3, 2, 4, 5})  // [views, rows, columns, merge, merge, in]
      .reshape({views.size(0), tokens * tokens, merge * merge * in});
}

}  // namespace fineprint::nets
