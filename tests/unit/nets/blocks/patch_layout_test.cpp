// Tests of the order of patches: windows by hand, and what any order must keep.
#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

#include "nets/vision/native_tower.h"

namespace fineprint::nets {
namespace {

models::NativeTower tower(int window) {
  models::NativeTower spec;
  spec.window = window;  // pixels; 56 are windows of 2 x 2 blocks
  return spec;
}

TEST(PatchLayout, PartialWindowsStandAtTheBorders) {
  // 3 x 3 blocks in windows of 2 x 2: whole, right, lower, corner.
  const PatchLayout layout = patch_layout(tower(56), {1, 6, 6});
  EXPECT_EQ(layout.block_order, (std::vector<std::int64_t>{0, 1, 3, 4, 2, 5, 6, 7, 8}));
  EXPECT_EQ(layout.windows, (std::vector<std::int64_t>{0, 16, 24, 32, 36}));
  EXPECT_EQ(layout.frames, (std::vector<std::int64_t>{0, 36}));
}

TEST(PatchLayout, PatchesComeInBlocks) {
  const PatchLayout layout = patch_layout(tower(0), {1, 2, 4});
  EXPECT_EQ(layout.rows, (std::vector<std::int64_t>{0, 0, 1, 1, 0, 0, 1, 1}));
  EXPECT_EQ(layout.columns, (std::vector<std::int64_t>{0, 1, 0, 1, 2, 3, 2, 3}));
  EXPECT_EQ(layout.windows, (std::vector<std::int64_t>{0, 8}));
}

TEST(PatchLayout, EveryBlockStandsInOneWindow) {
  for (const std::int64_t rows : {2, 4, 10, 18}) {
    for (const std::int64_t columns : {2, 8, 12, 34}) {
      const PatchLayout layout = patch_layout(tower(112), {2, rows, columns});
      std::vector<std::int64_t> order = layout.block_order;
      std::sort(order.begin(), order.end());
      std::vector<std::int64_t> all(static_cast<std::size_t>(2 * rows * columns / 4));
      std::iota(all.begin(), all.end(), 0);
      EXPECT_EQ(order, all);
      EXPECT_EQ(layout.windows.back(), 2 * rows * columns);
      EXPECT_TRUE(std::is_sorted(layout.windows.begin(), layout.windows.end()));
      EXPECT_EQ(layout.frames, (std::vector<std::int64_t>{0, rows * columns, 2 * rows * columns}));
    }
  }
}

}  // namespace
}  // namespace fineprint::nets
