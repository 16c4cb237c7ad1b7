// Tests of learned positions that are interpolated to an image's grid.
#include "nets/vision/patch_positions.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/stack.h>
#include <gtest/gtest.h>

namespace fineprint::nets {
namespace {

// The position at row r and column c of the square is (r, c): what is interpolated says where.
at::Tensor places(std::int64_t side) {
  const at::Tensor number = at::arange(side * side, at::kFloat);
  const at::Tensor row = (number / static_cast<double>(side)).floor();
  return at::stack({row, number - row * static_cast<double>(side)}, 1);
}

double value(const at::Tensor& tensor, std::int64_t row, std::int64_t column) {
  return tensor[row][column].item().toDouble();
}

TEST(PatchPositions, BordersMeetAndTheRestIsEvenlySpread) {
  // 3 x 5 patches over a square of 9 x 9.
  std::vector<std::int64_t> rows, columns;
  for (std::int64_t row = 0; row < 3; ++row) {
    for (std::int64_t column = 0; column < 5; ++column) {
      rows.push_back(row);
      columns.push_back(column);
    }
  }
  const at::Tensor found = interpolate(places(9), position_neighbours(9, rows, 3, columns, 5));
  for (std::size_t p = 0; p < rows.size(); ++p) {
    const auto at = static_cast<std::int64_t>(p);
    EXPECT_NEAR(value(found, at, 0), 4.0 * static_cast<double>(rows[p]), 1e-5);
    EXPECT_NEAR(value(found, at, 1), 2.0 * static_cast<double>(columns[p]), 1e-5);
  }
}

TEST(PatchPositions, BetweenTwoTheNearerCountsMore) {
  // Of four columns over three, the second lies at 2/3.
  const PositionNeighbours second = position_neighbours(3, {0}, 1, {1}, 4);
  EXPECT_EQ(second.index[0][0], 0);
  EXPECT_EQ(second.index[1][0], 1);
  EXPECT_NEAR(second.share[0][0], 1.0 / 3, 1e-6);
  EXPECT_NEAR(second.share[1][0], 2.0 / 3, 1e-6);
  EXPECT_NEAR(value(interpolate(places(3), second), 0, 1), 2.0 / 3, 1e-6);
}

TEST(PatchPositions, AnImageAsLargeAsTheSquareHasItsPositions) {
  const std::vector<std::int64_t> rows{0, 3, 2}, columns{3, 3, 1};
  const at::Tensor found = interpolate(places(4), position_neighbours(4, rows, 4, columns, 4));
  for (std::int64_t p = 0; p < 3; ++p) {
    EXPECT_EQ(value(found, p, 0), static_cast<double>(rows[static_cast<std::size_t>(p)]));
    EXPECT_EQ(value(found, p, 1), static_cast<double>(columns[static_cast<std::size_t>(p)]));
  }
}

TEST(PatchPositions, SharesSumToOneWithinTheSquare) {
  for (const std::int64_t size : {1, 2, 7, 48, 300}) {
    std::vector<std::int64_t> all;
    for (std::int64_t i = 0; i < size; ++i) all.push_back(i);
    const PositionNeighbours neighbours = position_neighbours(48, all, size, all, size);
    for (std::size_t p = 0; p < all.size(); ++p) {
      float sum = 0;
      for (std::size_t n = 0; n < 4; ++n) {
        sum += neighbours.share[n][p];
        EXPECT_GE(neighbours.share[n][p], 0);
        EXPECT_LT(neighbours.index[n][p], 48 * 48);
        EXPECT_GE(neighbours.index[n][p], 0);
      }
      EXPECT_NEAR(sum, 1, 1e-6);
    }
  }
}

}  // namespace
}  // namespace fineprint::nets
