// Rotary position embeddings.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <ATen/core/Tensor.h>

#include "fineprint/models/model_spec.h"

namespace fineprint::nets {

// Cosines and sines of T positions, [T, d], both halves alike.
struct Rotation {
  at::Tensor cosine, sine;
};

// x [heads, T, d] turned by the rotation; where that is narrower, the rest of each head is left as
// it is. Source: Su et al., "RoFormer" (2021), equation 34, with the two members of a pair d / 2
// apart.
at::Tensor rotate(const at::Tensor& x, const Rotation& rotation);

// Three positions a token (time, height, width), [3][T]; `extent` is the largest position of the
// whole call plus 1, which decides between short and long factors.
struct Positions {
  std::array<std::vector<std::int64_t>, 3> values;
  std::int64_t extent = 0;
};

// Frequencies and angles in float32, as the reference implementations compute them.
Rotation decoder_rotation(const models::Rope& rope, std::int64_t head_dim,
                          const Positions& positions, const at::TensorOptions& options);

// Half of the frequencies follow the row, half the column. `rows` and `columns` [P].
// Source: Wang et al., "Qwen2-VL" (2024), section 2.1.
Rotation patch_rotation(double theta, std::int64_t head_dim, const std::vector<std::int64_t>& rows,
                        const std::vector<std::int64_t>& columns, const at::TensorOptions& options);

}  // namespace fineprint::nets
