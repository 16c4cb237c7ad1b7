// The types of blocks, and whole rows of them.
#include "fineprint/tensorfile/blocks.h"

#include <algorithm>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

#include "tensorfile/blocks/codecs.h"

namespace fineprint::tensorfile {
namespace {

struct BlockFacts {
  std::string_view name;
  BlockShape shape;
  WidenBlock widen;
  // Where scales in half precision lie; -1: there is none.
  std::array<int, 2> scales = {-1, -1};
};

// In the order of BlockType.
constexpr std::array<BlockFacts, kBlockTypes.size()> kBlockFacts{{
    {"Q4_0", {32, 18}, widen_q4_0, {0, -1}},
    {"Q4_1", {32, 20}, widen_q4_1, {0, 2}},
    {"Q5_0", {32, 22}, widen_q5_0, {0, -1}},
    {"Q5_1", {32, 24}, widen_q5_1, {0, 2}},
    {"Q8_0", {32, 34}, widen_q8_0, {0, -1}},
    {"Q2_K", {256, 84}, widen_q2_k, {80, 82}},
    {"Q3_K", {256, 110}, widen_q3_k, {108, -1}},
    {"Q4_K", {256, 144}, widen_q4_k, {0, 2}},
    {"Q5_K", {256, 176}, widen_q5_k, {0, 2}},
    {"Q6_K", {256, 210}, widen_q6_k, {208, -1}},
    {"IQ4_NL", {32, 18}, widen_iq4_nl, {0, -1}},
    {"IQ4_XS", {256, 136}, widen_iq4_xs, {0, -1}},
    {"MXFP4", {32, 17}, widen_mxfp4},
}};

const BlockFacts& facts_of_blocks(BlockType type) {
  return kBlockFacts[static_cast<std::size_t>(type)];
}

// Of every block, the half at `place`: its exponent is not all ones.
bool are_finite(std::span<const std::uint8_t> blocks, std::size_t size, std::size_t place) {
  std::uint32_t largest = 0;
  for (std::size_t at = place; at < blocks.size(); at += size) {
    largest = std::max<std::uint32_t>(largest, little_u16(blocks.data() + at) & 0x7FFFU);
  }
  return largest < 0x7C00U;
}

// Codes over this one give values of 2^128 and more; see `widen_mxfp4`.
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
