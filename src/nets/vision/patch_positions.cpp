// Interpolates learned positions from their square table to an image's grid of patches.
#include "nets/vision/patch_positions.h"

#include <algorithm>

#include <ATen/TensorOperators.h>
#include <ATen/ops/tensor.h>

namespace fineprint::nets {
namespace {

// Two neighbours along one side, and the share of the second one.
struct Between {
  std::int64_t first, second;
  float share;
};

Between between(std::int64_t at, std::int64_t size, std::int64_t side) {
  const float place =
      static_cast<float>(at * (side - 1)) / static_cast<float>(std::max<std::int64_t>(size - 1, 1));
  const auto first = static_cast<std::int64_t>(place);
  return {first, std::min(first + 1, side - 1), place - static_cast<float>(first)};
}

}  // namespace

PositionNeighbours position_neighbours(std::int64_t side, const std::vector<std::int64_t>& rows,
                                       std::int64_t height,
                                       const std::vector<std::int64_t>& columns,
                                       std::int64_t width) {
  PositionNeighbours neighbours;
  for (std::size_t p = 0; p < rows.size(); ++p) {
    const Between down = between(rows[p], height, side), along = between(columns[p], width, side);
    const std::array<std::int64_t, 2> row{down.first, down.second};
    const std::array<std::int64_t, 2> column{along.first, along.second};
    const std::array<float, 2> row_share{1 - down.share, down.share};
    const std::array<float, 2> column_share{1 - along.share, along.share};
    for (std::size_t n = 0; n < 4; ++n) {
      neighbours.index[n].push_back(row[n / 2] * side + column[n % 2]);
      neighbours.share[n].push_back(row_share[n / 2] * column_share[n % 2]);
    }
  }
  return neighbours;
}

at::Tensor interpolate(const at::Tensor& table, const PositionNeighbours& neighbours) {
  at::Tensor sum;
  for (std::size_t n = 0; n < 4; ++n) {
    const at::Tensor index = at::tensor(neighbours.index[n], at::kLong).to(table.device());
    const at::Tensor share = at::tensor(neighbours.share[n]).to(table.device()).unsqueeze(1);
    // In float32 even for weights in half precision, as the reference computes it.
    const at::Tensor weighted = table.index_select(0, index).to(at::kFloat) * share;  // [P, hidden]
    sum = sum.defined() ? sum.add_(weighted) : weighted;
  }
  return sum.to(table.scalar_type());
}

}  // namespace fineprint::nets
