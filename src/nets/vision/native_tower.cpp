// Runs a vision transformer over the patches of images of any size.
#include "nets/vision/native_tower.h"

#include <algorithm>
#include <numeric>

#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/tensor.h>

#include "fineprint/core/format.h"

#include "nets/layers/attention.h"
#include "nets/vision/patch_positions.h"

namespace fineprint::nets {
namespace {

// Names differ between Qwen2-VL's two-matrix layers and the gated ones of Qwen2.5-VL.
NativeTowerLayer take_native_layer(const models::NativeTower& spec, const WeightScope& weights,
                                   int index) {
  const WeightScope attention = weights["attn"], feed = weights["mlp"];
  const auto& full = spec.full_attention_layers;
  NativeTowerLayer layer;
  layer.attention_norm = take_norm(weights, "norm1", spec.norm, spec.norm_eps);
  layer.feed_norm = take_norm(weights, "norm2", spec.norm, spec.norm_eps);
  if (spec.qkv_apart) {
    layer.query = take_linear(attention, "q");
    layer.key = take_linear(attention, "k");
    layer.value = take_linear(attention, "v");
  } else {
    layer.query_key_value = take_linear(attention, "qkv");
  }
  layer.attention_output = take_linear(attention, "proj");
  layer.feed.activation = spec.activation;
  if (spec.gated) layer.feed.gate = take_linear(feed, "gate_proj");
  layer.feed.up = take_linear(feed, spec.gated ? "up_proj" : "fc1");
  layer.feed.down = take_linear(feed, spec.gated ? "down_proj" : "fc2");
  layer.whole_frame = spec.window == 0 || std::find(full.begin(), full.end(), index) != full.end();
  return layer;
}

// Sets the row and column of each patch; patches are in blocks of merge x merge.
void set_places(const models::NativeTower& spec, std::array<std::int64_t, 3> grid,
                PatchLayout* layout) {
  const std::int64_t merge = spec.merge;
  for (std::int64_t frame = 0; frame < grid[0]; ++frame) {
    for (std::int64_t row = 0; row < grid[1]; row += merge) {
      for (std::int64_t column = 0; column < grid[2]; column += merge) {
        for (std::int64_t in_block = 0; in_block < merge * merge; ++in_block) {
          layout->rows.push_back(row + in_block / merge);
          layout->columns.push_back(column + in_block % merge);
        }
      }
    }
  }
}

// Orders blocks window by window, and sets the boundaries of the windows.
void set_windows(const models::NativeTower& spec, std::array<std::int64_t, 3> grid,
                 PatchLayout* layout) {
  const std::int64_t height = grid[1] / spec.merge, width = grid[2] / spec.merge;
  const std::int64_t side = spec.window / spec.merge / spec.patch;  // blocks
  for (std::int64_t frame = 0; frame < grid[0]; ++frame) {
    for (std::int64_t top = 0; top < height; top += side) {
      for (std::int64_t left = 0; left < width; left += side) {
        for (std::int64_t y = top; y < std::min(top + side, height); ++y) {
          for (std::int64_t x = left; x < std::min(left + side, width); ++x) {
            layout->block_order.push_back((frame * height + y) * width + x);
          }
        }
        layout->windows.push_back(static_cast<std::int64_t>(layout->block_order.size()) *
                                  spec.merge * spec.merge);
      }
    }
  }
}

}  // namespace

// Without windows, the order is the image's own and each frame is one segment.
PatchLayout patch_layout(const models::NativeTower& spec, std::array<std::int64_t, 3> grid) {
  PatchLayout layout;
  layout.height = grid[1];
  layout.width = grid[2];
  set_places(spec, grid, &layout);
  layout.windows = {0};
  layout.frames = {0};
  for (std::int64_t frame = 1; frame <= grid[0]; ++frame) {
    layout.frames.push_back(frame * grid[1] * grid[2]);
  }
  if (spec.window > 0) {
    set_windows(spec, grid, &layout);
  } else {
    layout.block_order.resize(layout.rows.size() / (spec.merge * spec.merge));
    std::iota(layout.block_order.begin(), layout.block_order.end(), 0);
    layout.windows.push_back(static_cast<std::int64_t>(layout.rows.size()));
  }
  return layout;
}

NativeTowerNet::NativeTowerNet(const models::NativeTower& spec, const Weights& weights)
    : spec_(spec) {
  const WeightScope tower(weights, "tower");
  const WeightScope patch = tower["patch_embed.proj"];
  // GGUF files store one kernel for each frame; a product needs them as one matrix.
  std::vector<at::Tensor> frames{patch("weight")};
  for (int frame = 1; spec.frames_apart && frame < spec.temporal; ++frame) {
    frames.push_back(patch(format("weight.{}", frame)));
  }
  const at::Tensor matrix = spec.frames_apart ? at::stack(frames, 2) : frames[0];
  patch_ = {{matrix.view({spec.hidden, -1}), {}}, patch.if_there("bias")};
  if (spec.norm_before) norm_before_ = take_norm(tower, "pre_norm", spec.norm, spec.norm_eps);
  if (spec.position_side > 0) positions_ = tower["pos_embed"]("weight");
  for (int i = 0; i < spec.layers; ++i) {
    layers_.push_back(take_native_layer(spec, tower[format("blocks.{}", i)], i));
  }
}

std::vector<at::Tensor> NativeTowerNet::forward(const at::Tensor& pixels, const PatchLayout& layout,
                                                const Tap& tap) const {
  at::Tensor x = apply(patch_, pixels);  // [P, hidden]
  if (tap) tap("vision.patch_embed", x);
  if (norm_before_) x = apply(*norm_before_, x);
  if (positions_.defined()) {
    x = x +
        interpolate(positions_, position_neighbours(spec_.position_side, layout.rows, layout.height,
                                                    layout.columns, layout.width));
  }
  // Blocks are sorted by window once, so that every layer finds a window's patches together.
  const std::int64_t block = spec_.merge * spec_.merge;
  const at::Tensor order = at::tensor(layout.block_order, at::kLong).to(x.device());  // [blocks]
  const auto reorder = [&](const at::Tensor& rows) {  // [P, n], each block moved as one
    return rows.view({-1, block, rows.size(1)}).index_select(0, order).view(rows.sizes());
  };
  x = reorder(x);
  Rotation rotation =
      patch_rotation({spec_.rope_theta, spec_.hidden / spec_.heads, spec_.alternating_frequencies},
                     layout.rows, layout.columns, x.options());
  rotation = {reorder(rotation.cosine), reorder(rotation.sine)};  // [P, d]
  const auto& deep = spec_.deep_layers;
  std::vector<at::Tensor> depths(1 + deep.size());
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    const NativeTowerLayer& layer = layers_[i];
    x = x + attend_layer(layer, apply(layer.attention_norm, x), rotation, layout);
    x = x + apply(layer.feed, apply(layer.feed_norm, x));
    if (tap) tap(format("vision.block{}", i), x);
    const auto place = std::find(deep.begin(), deep.end(), static_cast<int>(i));
    if (place != deep.end()) depths[static_cast<std::size_t>(place - deep.begin()) + 1] = x;
  }
  depths[0] = x;
  return depths;
}

at::Tensor NativeTowerNet::attend_layer(const NativeTowerLayer& layer, const at::Tensor& x,
                                        const Rotation& rotation, const PatchLayout& layout) const {
  const at::Tensor rows =
      spec_.qkv_apart
          ? at::cat({apply(layer.query, x), apply(layer.key, x), apply(layer.value, x)}, 1)
          : apply(layer.query_key_value, x);  // [P, 3 * hidden]
  const at::Tensor all =
      rows.view({x.size(0), 3, spec_.heads, -1}).permute({1, 2, 0, 3});  // [3, heads, P, d]
  const at::Tensor attended =
      attend_segments(rotate(all[0], rotation), rotate(all[1], rotation), all[2],
                      layer.whole_frame ? layout.frames : layout.windows);
  return apply(layer.attention_output, attended);
}

}  // namespace fineprint::nets
