// Tests of what towers of square images and their connectors do with places of patches.
#include "nets/vision/fixed_tower.h"

#include <numeric>

#include <ATen/ops/arange.h>
#include <gtest/gtest.h>

#include "nets/vision/connectors.h"

namespace fineprint::nets {
namespace {

std::vector<std::int64_t> list_of(const at::Tensor& tensor) {
  const at::Tensor flat = tensor.to(at::kLong).flatten().contiguous();
  return {flat.const_data_ptr<std::int64_t>(), flat.const_data_ptr<std::int64_t>() + flat.numel()};
}

TEST(PixelShuffle, PatchesOfATokenStandBehindEachOther) {
  // One image of 4 x 4 patches of two numbers; the first is the patch's place.
  const at::Tensor patches = at::arange(32).view({1, 16, 2});
  const at::Tensor tokens = shuffle_patches(patches, 2);
  EXPECT_EQ(tokens.sizes(), (std::vector<std::int64_t>{1, 4, 8}));
  EXPECT_EQ(list_of(tokens[0][0]), (std::vector<std::int64_t>{0, 1, 2, 3, 8, 9, 10, 11}));
  EXPECT_EQ(list_of(tokens[0][1]), (std::vector<std::int64_t>{4, 5, 6, 7, 12, 13, 14, 15}));
  EXPECT_EQ(list_of(tokens[0][2]), (std::vector<std::int64_t>{16, 17, 18, 19, 24, 25, 26, 27}));
}

TEST(PixelShuffle, LeavesSinglePatchesAsTheyAre) {
  const at::Tensor patches = at::arange(2 * 9 * 3).view({2, 9, 3});
  EXPECT_EQ(list_of(shuffle_patches(patches, 1)), list_of(patches));
}

TEST(BucketedPositions, AreThePatchesOwnInPublishedSizes) {
  for (const std::int64_t side : {1, 2, 6, 26, 27, 32}) {
    EXPECT_EQ(list_of(bucketed_positions(side)), list_of(at::arange(side * side))) << side;
  }
}

// Where the borders of single precision fall so; as the reference's own embeddings have it.
TEST(BucketedPositions, TwoNeighboursShareOneOfSomeSizes) {
  for (const std::int64_t side : {19, 25}) {
    const std::vector<std::int64_t> places = list_of(bucketed_positions(side));
    const std::vector<std::int64_t> row(places.begin(), places.begin() + side);
    std::int64_t shared = 0;
    for (std::size_t i = 1; i < row.size(); ++i) shared += row[i] == row[i - 1] ? 1 : 0;
    EXPECT_GE(shared, 1) << side;
    EXPECT_EQ(row.front(), 0);
    EXPECT_LE(row.back(), side - 1);
  }
}

// What torch 2.13 computes on x86-64 with AVX2; at::arange rounds otherwise on ARM.
TEST(BucketedPositions, AreTheSameOnEveryProcessor) {
  std::vector<std::int64_t> expected(25);
  std::iota(expected.begin(), expected.end(), 0);
  for (const std::size_t i : {5, 9, 10, 11, 12, 13, 15, 18, 20, 23}) --expected[i];
  const at::Tensor row = bucketed_positions(25).narrow(0, 0, 25);
  EXPECT_EQ(list_of(row), expected);
}

}  // namespace
}  // namespace fineprint::nets
