// The types of blocks, and whole rows of them.
#include "fineprint/tensorfile/blocks.h"

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

#include "tensorfile/blocks/codecs.h"

namespace fineprint::tensorfile {
namespace {

struct BlockFacts {
  std::string_view name;
  BlockShape shape;
  WidenBlock widen;
};

// In the order of BlockType.
constexpr std::array<BlockFacts, kBlockTypes.size()> kBlockFacts{{
    {"Q4_0", {32, 18}, widen_q4_0},
    {"Q4_1", {32, 20}, widen_q4_1},
    {"Q5_0", {32, 22}, widen_q5_0},
    {"Q5_1", {32, 24}, widen_q5_1},
    {"Q8_0", {32, 34}, widen_q8_0},
    {"Q2_K", {256, 84}, widen_q2_k},
    {"Q3_K", {256, 110}, widen_q3_k},
    {"Q4_K", {256, 144}, widen_q4_k},
    {"Q5_K", {256, 176}, widen_q5_k},
    {"Q6_K", {256, 210}, widen_q6_k},
    {"IQ4_NL", {32, 18}, widen_iq4_nl},
    {"IQ4_XS", {256, 136}, widen_iq4_xs},
    {"MXFP4", {32, 17}, widen_mxfp4},
}};

const BlockFacts& facts_of_blocks(BlockType type) {
  return kBlockFacts[static_cast<std::size_t>(type)];
}

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

}  // namespace fineprint::tensorfile
