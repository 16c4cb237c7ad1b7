// Matrices whose values are codes of a few bits, as files store them. Does not use LibTorch.
#pragma once

#include <cstdint>

namespace fineprint::nets {

// How the codes of a row become values. The first ones are GGUF's types of blocks, in which codes
// and their scales are next to each other; tensorfile/blocks.h describes them. The scales of
// `grouped4` and `grouped8` are stored separately.
enum class Codec {
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
  // 32 columns in 16 bytes, the first half in the low nibbles. A value is step * code + least, with
  // codes 0..15.
  grouped4,
  // One byte for each column. A value is step * (code - 128) + least, with codes 0..255.
  grouped8,
};

// A value is step * (code - offset) + least. A run of columns shares step and least. For example,
// Q4_K has blocks of 256 values in 144 bytes, and runs of 32 columns.
struct CodecFacts {
  int values = 0;      // values in a block
  int bytes = 0;       // bytes of a block
  int run = 32;        // columns that share a step: 16 or 32
  int offset = 0;      // 128: codes have eight bits; else at most six
  bool least = false;  // false if `least` is always 0
  int most = 255;      // the largest code; 255 wherever the offset is 128
};

constexpr CodecFacts codec_facts(Codec codec) {
  switch (codec) {
    case Codec::q4_0:
      return {32, 18, 32, 8, false, 15};
    case Codec::q4_1:
      return {32, 20, 32, 0, true, 15};
    case Codec::q5_0:
      return {32, 22, 32, 16, false, 31};
    case Codec::q5_1:
      return {32, 24, 32, 0, true, 31};
    case Codec::q8_0:
      return {32, 34, 32, 128, false};
    case Codec::q2_k:
      return {256, 84, 16, 0, true, 3};
    case Codec::q3_k:
      return {256, 110, 16, 4, false, 7};
    case Codec::q4_k:
      return {256, 144, 32, 0, true, 15};
    case Codec::q5_k:
      return {256, 176, 32, 0, true, 31};
    case Codec::q6_k:
      return {256, 210, 16, 32, false, 63};
    case Codec::iq4_nl:
      return {32, 18, 32, 128, false};
    case Codec::iq4_xs:
      return {256, 136, 32, 128, false};
    case Codec::mxfp4:
      return {32, 17, 32, 12, false, 24};
    case Codec::grouped4:
      return {32, 16, 32, 0, true, 15};
    case Codec::grouped8:
      return {32, 32, 32, 128, true};
  }
  return {};
}

// Rows that are unpacked together; a matrix must have at least as many.
constexpr std::int64_t kPanelRows = 16;

// A matrix [rows, columns], row-major, at any address. It has at least kPanelRows rows, and its
// columns are full blocks.
struct StoredBlocks {
  Codec codec = Codec::q8_0;
  const std::uint8_t* blocks = nullptr;
  std::int64_t rows = 0, columns = 0;
  // For grouped4 and grouped8: [rows, columns / group]; `group` is a multiple of 32.
  const float* steps = nullptr;
  const float* leasts = nullptr;
  std::int64_t group = 0;

  // Returns the bytes from one row to the next.
  std::int64_t row_bytes() const {
    const CodecFacts facts = codec_facts(codec);
    return columns / facts.values * facts.bytes;
  }
};

}  // namespace fineprint::nets
