// Blocks widened as the `gguf` package does, bit by bit; see scripts/golden/make_blocks.py.
#include "fineprint/tensorfile/blocks.h"

#include <bit>

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

}  // namespace
}  // namespace fineprint::tensorfile
