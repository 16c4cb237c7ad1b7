// The types of blocks, and the decoding of rows of them.
#include "fineprint/tensorfile/blocks.h"

#include <algorithm>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/tensorfile/block_layouts.h"

namespace fineprint::tensorfile {
namespace {

constexpr int kRun = 16;  // values that share a scale

// Decodes one block.
template <typename Layout>
void widen_block(const std::uint8_t* block, float* values) {
  for (int run = 0; run < Layout::kValues / kRun; ++run) {
    const RunScale scale = Layout::scale(block, run);
    for (int i = 0; i < kRun; ++i) {
      const auto code = static_cast<float>(Layout::code(block, run, i));
      values[run * kRun + i] = scale.step * code + scale.least;
    }
  }
}

// What the functions below need to know about a type.
struct BlockFacts {
  std::string_view name;
  BlockType type = BlockType::q8_0;
  BlockShape shape;
  void (*widen)(const std::uint8_t* block, float* values) = nullptr;
  // Offsets of the half-precision scales in a block; -1: none.
  std::array<int, 2> scales = {-1, -1};
};

// The layouts are types, so that each widen_block is compiled for its own layout.
template <typename Layout>
constexpr BlockFacts facts(std::string_view name, std::array<int, 2> scales) {
  return {name, Layout::kBlock, {Layout::kValues, Layout::kBytes}, widen_block<Layout>, scales};
}

// In the order of BlockType, so that a type is an index.
constexpr std::array<BlockFacts, kBlockTypes.size()> kBlockFacts{
    facts<Q40>("Q4_0", {0, -1}),     facts<Q41>("Q4_1", {0, 2}),
    facts<Q50>("Q5_0", {0, -1}),     facts<Q51>("Q5_1", {0, 2}),
    facts<Q80>("Q8_0", {0, -1}),     facts<Q2K>("Q2_K", {80, 82}),
    facts<Q3K>("Q3_K", {108, -1}),   facts<Q4K>("Q4_K", {0, 2}),
    facts<Q5K>("Q5_K", {0, 2}),      facts<Q6K>("Q6_K", {208, -1}),
    facts<Iq4Nl>("IQ4_NL", {0, -1}), facts<Iq4Xs>("IQ4_XS", {0, -1}),
    facts<Mxfp4>("MXFP4", {-1, -1}),
};
static_assert(std::ranges::equal(kBlockFacts, kBlockTypes, {}, &BlockFacts::type));

const BlockFacts& facts_of_blocks(BlockType type) {
  return kBlockFacts[static_cast<std::size_t>(type)];
}

// Returns true if the half at offset `place` of every block is finite: its exponent is not all
// ones. Takes the maximum first, because a loop without an early exit can use vector instructions.
bool are_finite(std::span<const std::uint8_t> blocks, std::size_t size, std::size_t place) {
  std::uint32_t largest = 0;
  for (std::size_t at = place; at < blocks.size(); at += size) {
    largest = std::max<std::uint32_t>(largest, little_u16(blocks.data() + at) & 0x7FFFU);
  }
  return largest < 0x7C00U;
}

// Larger codes give values of 2^128 and more, which float32 cannot hold; see half_of_e8m0.
constexpr std::uint8_t kLargestMxfp4Scale = 252;

}  // namespace

BlockShape block_shape(BlockType type) { return facts_of_blocks(type).shape; }

std::string_view block_name(BlockType type) { return facts_of_blocks(type).name; }

void widen(BlockType type, std::span<const std::uint8_t> blocks, std::span<float> values) {
  const BlockFacts& facts = facts_of_blocks(type);
  const auto size = static_cast<std::size_t>(facts.shape.bytes);
  const auto count = static_cast<std::size_t>(facts.shape.values);
  if (blocks.size() % size != 0 || values.size() % count != 0 ||
      blocks.size() / size != values.size() / count) {
    throw Error(ErrorCode::internal, format("{} bytes are not the {} blocks of {} values",
                                            blocks.size(), facts.name, values.size()));
  }
  const std::uint8_t* block = blocks.data();
  for (std::size_t at = 0; at < values.size(); at += count, block += size) {
    facts.widen(block, values.data() + at);
  }
}

bool all_finite(BlockType type, std::span<const std::uint8_t> blocks) {
  const BlockFacts& facts = facts_of_blocks(type);
  const auto size = static_cast<std::size_t>(facts.shape.bytes);
  if (type == BlockType::mxfp4) {
    for (std::size_t at = 0; at < blocks.size(); at += size) {
      if (blocks[at] > kLargestMxfp4Scale) return false;
    }
    return true;
  }
  return std::ranges::all_of(facts.scales, [&](int place) {
    return place < 0 || are_finite(blocks, size, static_cast<std::size_t>(place));
  });
}

}  // namespace fineprint::tensorfile
