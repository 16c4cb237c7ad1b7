// Blocks widened as the `gguf` package does, bit by bit; see scripts/golden/make_blocks.py.
#include "fineprint/tensorfile/blocks.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"

#include "support/golden_tensors.h"

namespace fineprint::tensorfile {
namespace {

TEST(Blocks, AreWidenedAsByTheReference) {
  const testing::GoldenTensors golden(FINEPRINT_TEST_GOLDEN "/blocks.safetensors");
  for (const BlockType type : kBlockTypes) {
    const std::string name(block_name(type));
    const std::vector<std::uint8_t> blocks = golden.bytes(name + ".blocks");
    const std::vector<float> expected = golden.floats(name + ".values");
    const auto size = static_cast<std::size_t>(block_shape(type).bytes);
    ASSERT_GE(blocks.size() / size, 6u) << name;
    ASSERT_EQ(expected.size(),
              blocks.size() / size * static_cast<std::size_t>(block_shape(type).values));
    std::vector<float> values(expected.size());
    widen(type, blocks, values);
    int different = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const bool same =
          std::bit_cast<std::uint32_t>(values[i]) == std::bit_cast<std::uint32_t>(expected[i]);
      if (!same && different++ == 0) {
        ADD_FAILURE() << name << " value " << i << ": " << values[i] << " for " << expected[i];
      }
    }
    EXPECT_EQ(different, 0) << name;
  }
}

TEST(Blocks, OnlyWholeOnesAreWidened) {
  const std::vector<std::uint8_t> bytes(36);
  std::vector<float> values(64);
  widen(BlockType::q4_0, bytes, values);
  EXPECT_THROW(widen(BlockType::q4_0, std::span(bytes).first(35), values), Error);
  EXPECT_THROW(widen(BlockType::q4_0, bytes, std::span(values).first(32)), Error);
  EXPECT_THROW(widen(BlockType::q4_0, bytes, std::span(values).first(63)), Error);
  widen(BlockType::q4_0, {}, {});
}

// The largest finite scale, then an infinite one, in each place where one lies.
TEST(Blocks, ScalesThatAreNoneAreNoticed) {
  const testing::GoldenTensors golden(FINEPRINT_TEST_GOLDEN "/blocks.safetensors");
  for (const BlockType type : kBlockTypes) {
    const std::string name(block_name(type));
    const auto size = static_cast<std::size_t>(block_shape(type).bytes);
    std::vector<std::uint8_t> blocks = golden.bytes(name + ".blocks");
    std::vector<float> values(static_cast<std::size_t>(block_shape(type).values));
    int noticed = 0;
    for (std::size_t place = 0; place + 1 < size; ++place) {
      std::vector<std::uint8_t> block(blocks.end() - static_cast<std::ptrdiff_t>(size),
                                      blocks.end());
      block[place] = 0xFF;
      block[place + 1] = 0xFF;
      widen(type, block, values);
      const bool finite =
          std::ranges::all_of(values, [](float value) { return std::isfinite(value); });
      EXPECT_EQ(all_finite(type, block), finite) << name << " " << place;
      noticed += finite ? 0 : 1;
    }
    EXPECT_GT(noticed, 0) << name;
  }
}

}  // namespace
}  // namespace fineprint::tensorfile
