// Quantised values as GGUF files keep them: blocks of codes, each with its scales.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace fineprint::tensorfile {

// Source: the GGUF format's tensor types (ggml); MXFP4: Open Compute Project, "Microscaling Formats
// (MX) v1.0" (2023), section 5.
enum class BlockType {
  q4_0,
  q4_1,
  q5_0,
  q5_1,
  q8_0,
  q2_k,
  q3_k,
  q4_k,
  q5_k,
  q6_k,
  iq4_nl,
  iq4_xs,
  mxfp4,
};

inline constexpr std::array kBlockTypes{
    BlockType::q4_0,   BlockType::q4_1,   BlockType::q5_0, BlockType::q5_1, BlockType::q8_0,
    BlockType::q2_k,   BlockType::q3_k,   BlockType::q4_k, BlockType::q5_k, BlockType::q6_k,
    BlockType::iq4_nl, BlockType::iq4_xs, BlockType::mxfp4};

// Of one block.
struct BlockShape {
  int values = 0;  // 32 or 256
  int bytes = 0;
};

BlockShape block_shape(BlockType type);
std::string_view block_name(BlockType type);  // "Q4_K"

// The values of whole blocks, equal to those of the `gguf` package bit by bit. Sums and products
// are rounded one by one (ggml built with fused multiply-add may differ in the last bit of types
// that have a least value). Throws Error(internal) when `blocks` are not whole or `values` are not
// as many as theirs.
void widen(BlockType type, std::span<const std::uint8_t> blocks, std::span<float> values);

// Whether the scales of whole blocks are such that all values are finite: no NaN, no infinity, none
// so large that a value overflows.
bool all_finite(BlockType type, std::span<const std::uint8_t> blocks);

}  // namespace fineprint::tensorfile
