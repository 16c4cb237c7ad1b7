// Quantised values as in GGUF files: blocks of codes with their scales.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace fineprint::tensorfile {

// The types of blocks that this program reads.
// Source: the GGUF format's tensor types (ggml). MXFP4: Open Compute Project, "Microscaling Formats
// (MX) v1.0" (2023), section 5.
enum class BlockType {
  // Blocks of 32 values with one scale each, and a least value in the types _1.
  q4_0,
  q4_1,
  q5_0,
  q5_1,
  q8_0,
  // Blocks of 256 values whose scales are codes, too.
  q2_k,
  q3_k,
  q4_k,
  q5_k,
  q6_k,
  // Codes that select one of 16 unevenly spaced values.
  iq4_nl,
  iq4_xs,
  // Codes of four bits as floating-point numbers (E2M1), with a power of two as scale.
  mxfp4,
};

// All types, in order.
inline constexpr std::array kBlockTypes{
    BlockType::q4_0,   BlockType::q4_1,   BlockType::q5_0, BlockType::q5_1, BlockType::q8_0,
    BlockType::q2_k,   BlockType::q3_k,   BlockType::q4_k, BlockType::q5_k, BlockType::q6_k,
    BlockType::iq4_nl, BlockType::iq4_xs, BlockType::mxfp4};

// The size of one block of a type. For example, a block of Q4_K has 256 values in 144 bytes.
struct BlockShape {
  int values = 0;  // 32 or 256
  int bytes = 0;
};

// Returns the size of the type's blocks.
BlockShape block_shape(BlockType type);
// Returns the type's name in GGUF files, for example "Q4_K".
std::string_view block_name(BlockType type);

// Decodes complete blocks to float32. The values equal those of the `gguf` package bit by bit. Each
// product and sum is rounded separately. (ggml built with fused multiply-add may differ in the last
// bit for types that have a least value.) Throws Error(internal) if `blocks` has no complete blocks
// or `values` has not as many elements as they have.
void widen(BlockType type, std::span<const std::uint8_t> blocks, std::span<float> values);

// Returns true if the scales of complete blocks make all values finite: no scale is NaN, infinite,
// or so large that a value overflows. Reads only the scales.
bool all_finite(BlockType type, std::span<const std::uint8_t> blocks);

}  // namespace fineprint::tensorfile
