// Interpolates learned positions from their square table to an image's grid of patches.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <ATen/core/Tensor.h>

namespace fineprint::nets {

// For each of P patches, the four learned positions around its place, row by row in the table, and
// their shares.
struct PositionNeighbours {
  std::array<std::vector<std::int64_t>, 4> index;  // [P] each
  std::array<std::vector<float>, 4> share;         // [P] each; the shares of a patch sum to 1
};

// Places an image's rows evenly: its first row is at the table's first, and its last row at the
// table's last; columns in the same way. `rows` and `columns` are [P], below `height` and `width`.
// Computed in float32, as in the reference.
PositionNeighbours position_neighbours(std::int64_t side, const std::vector<std::int64_t>& rows,
                                       std::int64_t height,
                                       const std::vector<std::int64_t>& columns,
                                       std::int64_t width);

// Returns positions [P, hidden] from table [side^2, hidden].
at::Tensor interpolate(const at::Tensor& table, const PositionNeighbours& neighbours);

}  // namespace fineprint::nets
