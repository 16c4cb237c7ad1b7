// Tests of what towers of views of any size do with their table of positions.
#include "nets/vision/flexible_tower.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/full.h>
#include <gtest/gtest.h>

namespace fineprint::nets {
namespace {

TEST(ResizedPositions, AreTheTableAtItsOwnSize) {
  const at::Tensor table = at::arange(32, at::kFloat).view({16, 2});
  EXPECT_TRUE(at::allclose(resize_positions(table, {4, 4}), table));
}

TEST(ResizedPositions, KeepRowsAndColumnsApart) {
  // The first number is the row, the second one the column.
  const at::Tensor places = at::arange(16, at::kFloat);
  at::Tensor table = at::full({16, 2}, 0.0F);
  table.select(1, 0).copy_((places / 4).floor());
  table.select(1, 1).copy_(places.remainder(4));
  const at::Tensor wide = resize_positions(table, {2, 8});
  ASSERT_EQ(wide.sizes(), (std::vector<std::int64_t>{16, 2}));
  for (std::int64_t i = 1; i < 8; ++i) {
    EXPECT_FLOAT_EQ(wide[i][0].item<float>(), wide[0][0].item<float>());
    EXPECT_GE(wide[i][1].item<float>(), wide[i - 1][1].item<float>());
  }
  EXPECT_GT(wide[8][0].item<float>(), wide[7][0].item<float>() + 1);
}

// Fewer patches than positions: each is a mean of all near it, not of the nearest four.
TEST(ResizedPositions, FewPatchesHaveMeansOfMany) {
  at::Tensor table = at::full({64, 1}, 0.0F);
  table[0][0] = 64;
  const at::Tensor one = resize_positions(table, {1, 1});
  EXPECT_GT(one[0][0].item<float>(), 0);
  EXPECT_LT(one[0][0].item<float>(), 1);
  const at::Tensor flat = resize_positions(at::full({64, 3}, 5.0F), {3, 2});
  EXPECT_TRUE(at::allclose(flat, at::full({6, 3}, 5.0F)));
}

TEST(ResizedPositions, StayInTheFormatOfTheWeights) {
  const at::Tensor table = at::full({4, 2}, 1.5F).to(at::kBFloat16);
  EXPECT_EQ(resize_positions(table, {3, 3}).scalar_type(), at::kBFloat16);
}

}  // namespace
}  // namespace fineprint::nets
