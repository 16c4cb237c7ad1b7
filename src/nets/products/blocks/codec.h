// Matrices whose values are codes of a few bits, as they lie in a file. Free of LibTorch.
#pragma once

#include <cstdint>

namespace fineprint::nets {

// How runs of a row's codes become values. The first ones are GGUF's types of blocks, in which
// codes lie beside their scales (tensorfile/blocks.h tells what is where); of `grouped4` and
// `grouped8` the scales lie apart.
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
  // 32 columns in 16 bytes, the first half in their low nibbles: step * code + least, code 0..15.
  grouped4,
  // A byte a column: step * (code - 128) + least, code 0..255.
  grouped8,
};

// A value is step * (code - offset) + least; step and least are those of a run of columns.
struct CodecFacts {
  int values = 0;      // of a block
  int bytes = 0;       // of a block
  int run = 32;        // columns that share a step: 16 or 32
  int offset = 0;      // 128: codes are of eight bits, else of six at most
  bool least = false;  // whether it is ever another than 0
};

constexpr CodecFacts codec_facts(Codec codec) {
  switch (codec) {
    case Codec::q4_0:
      return {32, 18, 32, 8, false};
    case Codec::q4_1:
      return {32, 20, 32, 0, true};
    case Codec::q5_0:
      return {32, 22, 32, 16, false};
    case Codec::q5_1:
      return {32, 24, 32, 0, true};
    case Codec::q8_0:
      return {32, 34, 32, 128, false};
    case Codec::q2_k:
      return {256, 84, 16, 0, true};
    case Codec::q3_k:
      return {256, 110, 16, 4, false};
    case Codec::q4_k:
      return {256, 144, 32, 0, true};
    case Codec::q5_k:
      return {256, 176, 32, 0, true};
    case Codec::q6_k:
      return {256, 210, 16, 32, false};
    case Codec::iq4_nl:
      return {32, 18, 32, 128, false};
    case Codec::iq4_xs:
      return {256, 136, 32, 128, false};
    case Codec::mxfp4:
      return {32, 17, 32, 12, false};
    case Codec::grouped4:
      return {32, 16, 32, 0, true};
    case Codec::grouped8:
      return {32, 32, 32, 128, true};
  }
  return {};
}

// Rows that are unpacked together: a matrix has at least as many.
constexpr std::int64_t kPanelRows = 16;

// [rows, columns], row-major, at any address; rows at least kPanelRows, columns whole blocks.
struct StoredBlocks {
  Codec codec = Codec::q8_0;
  const std::uint8_t* blocks = nullptr;
  std::int64_t rows = 0, columns = 0;
  // grouped4, grouped8: [rows, columns / group], `group` being a multiple of 32.
  const float* steps = nullptr;
  const float* leasts = nullptr;
  std::int64_t group = 0;

  std::int64_t row_bytes() const {
    const CodecFacts facts = codec_facts(codec);
    return columns / facts.values * facts.bytes;
  }
};

}  // namespace fineprint::nets
