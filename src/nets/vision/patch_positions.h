// Learned positions of patches, interpolated from a square of them to an image's grid.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <ATen/core/Tensor.h>

namespace fineprint::nets {

// For each of P patches the four positions around its place, row by row in the square, and their
// shares.
struct PositionNeighbours {
  std::array<std::vector<std::int64_t>, 4> index;  // [P] each
  std::array<std::vector<float>, 4> share;         // likewise; those of a patch sum to 1
};

// The first row of an image has the place of the square's first, the last that of its last, and
// those between them are evenly spread; columns likewise. `rows` and `columns` [P], below `height`
// and `width`. In float32, as the reference computes them.
PositionNeighbours position_neighbours(std::int64_t side, const std::vector<std::int64_t>& rows,
                                       std::int64_t height,
                                       const std::vector<std::int64_t>& columns,
                                       std::int64_t width);

// table [side^2, hidden] -> [P, hidden]
at::Tensor interpolate(const at::Tensor& table, const PositionNeighbours& neighbours);

}  // namespace fineprint::nets
