// A vision transformer over the patches of images of any size.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include <ATen/core/Tensor.h>

#include "fineprint/models/model_spec.h"

#include "nets/decoder/decoder.h"
#include "nets/layers/layers.h"
#include "nets/layers/rope.h"

namespace fineprint::nets {

// The order of an image's patches in the tower. Patches are in blocks of merge x merge, which stay
// together. Blocks are ordered window by window.
struct PatchLayout {
  std::vector<std::int64_t> block_order;    // [blocks]: the image's block that is block i here
  std::vector<std::int64_t> rows, columns;  // [patches], in the image's order
  std::int64_t height = 0, width = 0;       // of the image, in patches
  std::vector<std::int64_t> windows;        // boundaries in patches; {0, P} if no windows
  std::vector<std::int64_t> frames;         // the same for layers that see a full frame
};
// Returns the layout for `grid`: frames, rows and columns of patches. Windows at the right and
// lower edge are partial. For example, {1, 4, 6} is a still image of 4 x 6 patches.
// Source: Bai et al., "Qwen2.5-VL" (2025), section 2.1.1.
PatchLayout patch_layout(const models::NativeTower& spec, std::array<std::int64_t, 3> grid);

// The weights of one layer.
struct NativeTowerLayer {
  Norm attention_norm, feed_norm;
  Linear query_key_value;    // if they are in one matrix
  Linear query, key, value;  // else
  Linear attention_output;
  FeedForward feed;
  bool whole_frame = true;
};

// The tower. Most layers attend within windows, some within a full frame.
class NativeTowerNet {
 public:
  NativeTowerNet(const models::NativeTower& spec, const Weights& weights);
  // Returns the hidden states [P, hidden] in the layout's order for pixels
  // [P, 3 * temporal * patch * patch]: first the output, then the further depths.
  std::vector<at::Tensor> forward(const at::Tensor& pixels, const PatchLayout& layout,
                                  const Tap& tap = {}) const;
  const models::NativeTower& spec() const { return spec_; }

 private:
  at::Tensor attend_layer(const NativeTowerLayer& layer, const at::Tensor& x,
                          const Rotation& rotation, const PatchLayout& layout) const;

  models::NativeTower spec_;
  Linear patch_;
  std::optional<Norm> norm_before_;
  at::Tensor positions_;  // [position_side^2, hidden], or undefined
  std::vector<NativeTowerLayer> layers_;
};

}  // namespace fineprint::nets
