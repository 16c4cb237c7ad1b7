// Rotary position embeddings.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <ATen/core/Tensor.h>

#include "fineprint/models/model_spec.h"

namespace fineprint::nets {

// Cosines and sines of T positions, [T, d]. The second half repeats the first.
struct Rotation {
  at::Tensor cosine, sine;
};

// Returns x [heads, T, d] rotated. If the rotation is narrower than d, the rest of each head is
// unchanged. Source: Su et al., "RoFormer" (2021), equation 34; but here the two members of a pair
// are d / 2 apart.
at::Tensor rotate(const at::Tensor& x, const Rotation& rotation);

// Three positions for each token (time, height, width), [3][T]. Text has the same number in all
// three. `extent` is the largest position of the entire call plus 1; it decides between short and
// long factors.
struct Positions {
  std::array<std::vector<std::int64_t>, 3> values;
  std::int64_t extent = 0;
};

// Returns the rotation of T tokens of a decoder. Computes frequencies and angles in float32, as the
// reference implementations do.
Rotation decoder_rotation(const models::Rope& rope, std::int64_t head_dim,
                          const Positions& positions, const at::TensorOptions& options);

// How the positions of patches rotate heads.
struct PatchRope {
  double theta = 10000;
  std::int64_t head_dim = 0;  // a multiple of 4
  // Columns follow every second frequency of the head and rows the others; else both follow the
  // same ones.
  bool alternating = false;
};

// Returns the rotation of P patches: half of the pairs follow the row and half the column. `rows`
// and `columns` are [P]. Sources: Wang et al., "Qwen2-VL" (2024), section 2.1; Agrawal et al.,
// "Pixtral 12B" (2024), section 2.2.
Rotation patch_rotation(const PatchRope& rope, const std::vector<std::int64_t>& rows,
                        const std::vector<std::int64_t>& columns, const at::TensorOptions& options);

}  // namespace fineprint::nets
