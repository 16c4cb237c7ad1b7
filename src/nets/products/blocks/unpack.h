// Unpacks blocks of codes into panels: 16 rows, transposed so that four columns of a row are one
// word. The file of each instruction set includes this after it has defined FINEPRINT_TARGET and
// the type `Set` of its registers. tensorfile/blocks.h describes the types of blocks;
// src/tensorfile/blocks describes their bytes.
#include <algorithm>
#include <cstring>

#include "nets/products/blocks/kernel.h"

#define FINEPRINT_INLINE FINEPRINT_TARGET inline __attribute__((always_inline))

namespace fineprint::nets {
namespace {

using Lanes = Set::Lanes;  // float32, one for each row
using Words = Set::Words;  // unsigned, one for each row

constexpr std::int64_t kPanelColumns = 256;
constexpr std::int64_t kQuads = kPanelColumns / 4;
// Bytes that each row is prefetched ahead.
constexpr std::int64_t kBytesAhead = 1024;

// 256 columns of 16 rows, or fewer columns.
struct Panel {
  alignas(64) std::uint8_t codes[kQuads * kPanelRows * 4];    // [quads, rows, 4]
  alignas(64) float steps[kPanelColumns / 16 * kPanelRows];   // [runs, rows]
  alignas(64) float leasts[kPanelColumns / 16 * kPanelRows];  // [runs, rows]
};

// A block in the rows of one register, and where their codes go.
struct Part {
  const std::uint8_t* at = nullptr;  // the first row's block
  std::int64_t step = 0;             // bytes from one row to the next
  // In the panel, at the block's first column and first row.
  std::uint8_t* codes = nullptr;
  float* steps = nullptr;
  float* leasts = nullptr;

  FINEPRINT_INLINE void put(std::int64_t quad, Words four) const {
    std::memcpy(codes + quad * kPanelRows * 4, &four, sizeof four);
  }
  FINEPRINT_INLINE void put_step(std::int64_t run, Lanes lanes) const {
    std::memcpy(steps + run * kPanelRows, &lanes, sizeof lanes);
  }
  FINEPRINT_INLINE void put_least(std::int64_t run, Lanes lanes) const {
    std::memcpy(leasts + run * kPanelRows, &lanes, sizeof lanes);
  }
};

// Returns a number of each row; rows are `step` bytes apart.
template <typename Number>
FINEPRINT_INLINE Words gathered(const std::uint8_t* at, std::int64_t step) {
  std::uint32_t numbers[Set::kRows];
#pragma GCC unroll 16
  for (std::int64_t i = 0; i < Set::kRows; ++i) {
    Number number = 0;
    std::memcpy(&number, at + i * step, sizeof number);
    numbers[i] = number;
  }
  Words words;
  std::memcpy(&words, numbers, sizeof words);
  return words;
}

constexpr std::uint32_t kNibbles = 0x0F0F0F0F, kPairs = 0x03030303, kOnes = 0x01010101;

// The 16 values of codes of four bits, as a panel stores them (with their offset).
using CodeTable = std::uint8_t[16];
constexpr CodeTable kUnevenCodes = {1,   24,  45,  63,  79,  93,  106, 118,
                                    129, 141, 153, 166, 181, 197, 217, 241};
constexpr CodeTable kE2m1Codes = {12, 13, 14, 15, 16, 18, 20, 24, 12, 11, 10, 9, 8, 6, 4, 0};

FINEPRINT_INLINE Lanes half_of(Words words) { return Set::halves(words & 0xFFFFU); }
FINEPRINT_INLINE Words byte_of(Words words, int byte) { return words >> 8 * byte & 0xFFU; }
FINEPRINT_INLINE Lanes signed_byte_of(Words words, int byte) {
  return Set::signed_floats(reinterpret_cast<Set::Signed>(words << (24 - 8 * byte)) >> 24);
}
// Converts integers below 2^31.
FINEPRINT_INLINE Lanes float_of(Words words) {
  return Set::signed_floats(reinterpret_cast<Set::Signed>(words));
}

// Unpacks 32 columns: the first half are the low nibbles of 16 bytes, the second the high ones.
FINEPRINT_INLINE void put_nibbles(const Part& part, std::int64_t bytes, std::int64_t quad) {
  Words words[4];
  Set::turn(part.at + bytes, part.step, words);
#pragma GCC unroll 4
  for (int q = 0; q < 4; ++q) {
    part.put(quad + q, words[q] & kNibbles);
    part.put(quad + q + 4, words[q] >> 4 & kNibbles);
  }
}

FINEPRINT_INLINE void put_named(const Part& part, std::int64_t bytes, std::int64_t quad,
                                const CodeTable& table) {
  Words words[4];
  Set::turn(part.at + bytes, part.step, words);
#pragma GCC unroll 4
  for (int q = 0; q < 4; ++q) {
    part.put(quad + q, Set::named(words[q] & kNibbles, table));
    part.put(quad + q + 4, Set::named(words[q] >> 4 & kNibbles, table));
  }
}

// Does the same as put_nibbles, with a fifth bit of each column from `highs`.
FINEPRINT_INLINE void put_fives(const Part& part, std::int64_t bytes, Words highs) {
  Words words[4];
  Set::turn(part.at + bytes, part.step, words);
#pragma GCC unroll 4
  for (int q = 0; q < 4; ++q) {
    // The multiplication spreads four bits to one in each byte.
    const Words first = (highs >> 4 * q & 15U) * 0x00204081U & kOnes;
    const Words second = (highs >> 4 * (q + 4) & 15U) * 0x00204081U & kOnes;
    part.put(q, (words[q] & kNibbles) | first << 4);
    part.put(q + 4, (words[q] >> 4 & kNibbles) | second << 4);
  }
}

FINEPRINT_INLINE void unpack_q4_0(const Part& part) {
  part.put_step(0, half_of(gathered<std::uint16_t>(part.at, part.step)));
  put_nibbles(part, 2, 0);
}

FINEPRINT_INLINE void put_halves(const Part& part) {
  const Words both = gathered<std::uint32_t>(part.at, part.step);
  part.put_step(0, half_of(both));
  part.put_least(0, half_of(both >> 16));
}

FINEPRINT_INLINE void unpack_q4_1(const Part& part) {
  put_halves(part);
  put_nibbles(part, 4, 0);
}

FINEPRINT_INLINE void unpack_q5_0(const Part& part) {
  part.put_step(0, half_of(gathered<std::uint16_t>(part.at, part.step)));
  put_fives(part, 6, gathered<std::uint32_t>(part.at + 2, part.step));
}

FINEPRINT_INLINE void unpack_q5_1(const Part& part) {
  put_halves(part);
  put_fives(part, 8, gathered<std::uint32_t>(part.at + 4, part.step));
}

// Unpacks 32 columns of codes of eight bits. Signed codes become unsigned ones around 128.
FINEPRINT_INLINE void put_bytes(const Part& part, std::int64_t bytes, std::uint32_t flipped) {
#pragma GCC unroll 2
  for (int half = 0; half < 2; ++half) {
    Words words[4];
    Set::turn(part.at + bytes + 16 * half, part.step, words);
#pragma GCC unroll 4
    for (int q = 0; q < 4; ++q) part.put(4 * half + q, words[q] ^ flipped);
  }
}

FINEPRINT_INLINE void unpack_q8_0(const Part& part) {
  part.put_step(0, half_of(gathered<std::uint16_t>(part.at, part.step)));
  put_bytes(part, 2, 0x80808080U);
}

FINEPRINT_INLINE void unpack_iq4_nl(const Part& part) {
  part.put_step(0, half_of(gathered<std::uint16_t>(part.at, part.step)));
  put_named(part, 2, 0, kUnevenCodes);
}

FINEPRINT_INLINE void unpack_mxfp4(const Part& part) {
  const Words code = gathered<std::uint8_t>(part.at, part.step);
  // The step is half of 2^(code - 127), which is denormal for the two smallest codes.
  const auto least = reinterpret_cast<Words>(code < 2U);
  const Words small = 0x00200000U << (code & 1U), other = (code - 1U) << 23;
  part.put_step(0, reinterpret_cast<Lanes>((least & small) | (~least & other)));
  put_named(part, 1, 0, kE2m1Codes);
}

// Unpacks the steps and leasts of Q4_K and Q5_K: eight runs in 16 bytes.
FINEPRINT_INLINE void put_run_scales(const Part& part) {
  Words head[4];
  Set::turn(part.at, part.step, head);
  const Lanes scale = half_of(head[0]), least = -half_of(head[0] >> 16);
  const Words steps[2] = {head[1] & 0x3F3F3F3FU,
                          (head[3] & kNibbles) | (head[1] >> 2 & 0x30303030U)};
  const Words leasts[2] = {head[2] & 0x3F3F3F3FU,
                           (head[3] >> 4 & kNibbles) | (head[2] >> 2 & 0x30303030U)};
#pragma GCC unroll 8
  for (int run = 0; run < 8; ++run) {
    part.put_step(run, scale * float_of(byte_of(steps[run / 4], run % 4)));
    part.put_least(run, least * float_of(byte_of(leasts[run / 4], run % 4)));
  }
}

FINEPRINT_INLINE void unpack_q4_k(const Part& part) {
  put_run_scales(part);
#pragma GCC unroll 8
  for (int piece = 0; piece < 8; ++piece) {
    Words words[4];
    Set::turn(part.at + 16 + 16 * piece, part.step, words);
    const int quad = piece / 2 * 16 + piece % 2 * 4;
#pragma GCC unroll 4
    for (int q = 0; q < 4; ++q) {
      part.put(quad + q, words[q] & kNibbles);
      part.put(quad + q + 8, words[q] >> 4 & kNibbles);
    }
  }
}

FINEPRINT_INLINE void unpack_q5_k(const Part& part) {
  put_run_scales(part);
#pragma GCC unroll 2
  for (int half = 0; half < 2; ++half) {
    Words highs[4];
    Set::turn(part.at + 16 + 16 * half, part.step, highs);
#pragma GCC unroll 4
    for (int pair = 0; pair < 4; ++pair) {
      Words words[4];
      Set::turn(part.at + 48 + 32 * pair + 16 * half, part.step, words);
#pragma GCC unroll 4
      for (int q = 0; q < 4; ++q) {
        const int quad = 16 * pair + 4 * half + q;
        const Words low = highs[q] >> 2 * pair & kOnes, high = highs[q] >> (2 * pair + 1) & kOnes;
        part.put(quad, (words[q] & kNibbles) | low << 4);
        part.put(quad + 8, (words[q] >> 4 & kNibbles) | high << 4);
      }
    }
  }
}

FINEPRINT_INLINE void unpack_q6_k(const Part& part) {
  Words scales[4];
  Set::turn(part.at + 192, part.step, scales);
  const Lanes scale = half_of(gathered<std::uint16_t>(part.at + 208, part.step));
#pragma GCC unroll 16
  for (int run = 0; run < 16; ++run) {
    part.put_step(run, scale * signed_byte_of(scales[run / 4], run % 4));
  }
#pragma GCC unroll 4
  for (int piece = 0; piece < 4; ++piece) {  // 16 bytes of high bits: four runs of 16 columns
    const int half = piece / 2, sixteen = piece % 2;
    Words highs[4];
    Set::turn(part.at + 128 + 16 * piece, part.step, highs);
#pragma GCC unroll 2
    for (int pair = 0; pair < 2; ++pair) {
      Words words[4];
      Set::turn(part.at + 64 * half + 32 * pair + 16 * sixteen, part.step, words);
#pragma GCC unroll 4
      for (int q = 0; q < 4; ++q) {
        const int quad = 32 * half + 8 * pair + 4 * sixteen + q;
        const Words low = highs[q] >> 2 * pair & kPairs, high = highs[q] >> (2 * pair + 4) & kPairs;
        part.put(quad, (words[q] & kNibbles) | low << 4);
        part.put(quad + 16, (words[q] >> 4 & kNibbles) | high << 4);
      }
    }
  }
}

FINEPRINT_INLINE void unpack_iq4_xs(const Part& part) {
  Words head[4];
  Set::turn(part.at, part.step, head);
  const Lanes scale = half_of(head[0]);
#pragma GCC unroll 8
  for (int run = 0; run < 8; ++run) {
    const Words code = (head[1] >> 4 * run & 15U) | (head[0] >> (16 + 2 * run) & 3U) << 4;
    part.put_step(run, scale * float_of(code - 32U));
    put_named(part, 8 + 16 * run, 8 * run, kUnevenCodes);
  }
}

// Unpacks codes of two bits; four runs of 32 columns share 32 bytes. The bytes at `lifts` hold a
// third bit for the columns of a run; -1: there is none.
FINEPRINT_INLINE void put_twos(const Part& part, std::int64_t bytes, std::int64_t lifts) {
#pragma GCC unroll 4
  for (int piece = 0; piece < 4; ++piece) {
    const int half = piece / 2, sixteen = piece % 2;
    Words words[4], lift[4] = {};
    Set::turn(part.at + bytes + 16 * piece, part.step, words);
    if (lifts >= 0) Set::turn(part.at + lifts + 16 * sixteen, part.step, lift);
#pragma GCC unroll 4
    for (int quarter = 0; quarter < 4; ++quarter) {
      const int run = 4 * half + quarter;
#pragma GCC unroll 4
      for (int q = 0; q < 4; ++q) {
        part.put(8 * run + 4 * sixteen + q,
                 (words[q] >> 2 * quarter & kPairs) | (lift[q] >> run & kOnes) << 2);
      }
    }
  }
}

FINEPRINT_INLINE void unpack_q2_k(const Part& part) {
  Words packed[4];
  Set::turn(part.at, part.step, packed);
  const Words both = gathered<std::uint32_t>(part.at + 80, part.step);
  const Lanes scale = half_of(both), least = -half_of(both >> 16);
#pragma GCC unroll 16
  for (int run = 0; run < 16; ++run) {
    const Words byte = byte_of(packed[run / 4], run % 4);
    part.put_step(run, scale * float_of(byte & 15U));
    part.put_least(run, least * float_of(byte >> 4));
  }
  put_twos(part, 16, -1);
}

FINEPRINT_INLINE void unpack_q3_k(const Part& part) {
  Words packed[4];  // the last four bytes of the codes, and the scales
  Set::turn(part.at + 92, part.step, packed);
  const Lanes scale = half_of(gathered<std::uint16_t>(part.at + 108, part.step));
#pragma GCC unroll 16
  for (int run = 0; run < 16; ++run) {
    const Words low = byte_of(packed[1 + run % 8 / 4], run % 4) >> 4 * (run / 8) & 15U;
    const Words high = byte_of(packed[3], run % 4) >> 2 * (run / 4) & 3U;
    part.put_step(run, scale * float_of((low | high << 4) - 32U));
  }
  put_twos(part, 32, 0);
}

// Some rows of a matrix at equal distances.
struct PanelRows {
  const StoredBlocks* weight = nullptr;
  std::int64_t first = 0, step = 1;  // rows
};

// Returns the separately stored numbers (steps or leasts) of one group of columns, for the rows
// from `row` on.
FINEPRINT_INLINE Lanes apart(const PanelRows& rows, const float* numbers, std::int64_t row,
                             std::int64_t column) {
  const std::int64_t group = column / rows.weight->group;
  const std::int64_t groups = rows.weight->columns / rows.weight->group;
  float values[Set::kRows];
  for (std::int64_t i = 0; i < Set::kRows; ++i) {
    values[i] = numbers[(rows.first + (row + i) * rows.step) * groups + group];
  }
  Lanes lanes;
  std::memcpy(&lanes, values, sizeof lanes);
  return lanes;
}

template <Codec kCodec>
FINEPRINT_INLINE void unpack_block(const Part& part) {
  if constexpr (kCodec == Codec::q4_0) unpack_q4_0(part);
  if constexpr (kCodec == Codec::q4_1) unpack_q4_1(part);
  if constexpr (kCodec == Codec::q5_0) unpack_q5_0(part);
  if constexpr (kCodec == Codec::q5_1) unpack_q5_1(part);
  if constexpr (kCodec == Codec::q8_0) unpack_q8_0(part);
  if constexpr (kCodec == Codec::q2_k) unpack_q2_k(part);
  if constexpr (kCodec == Codec::q3_k) unpack_q3_k(part);
  if constexpr (kCodec == Codec::q4_k) unpack_q4_k(part);
  if constexpr (kCodec == Codec::q5_k) unpack_q5_k(part);
  if constexpr (kCodec == Codec::q6_k) unpack_q6_k(part);
  if constexpr (kCodec == Codec::iq4_nl) unpack_iq4_nl(part);
  if constexpr (kCodec == Codec::iq4_xs) unpack_iq4_xs(part);
  if constexpr (kCodec == Codec::mxfp4) unpack_mxfp4(part);
  if constexpr (kCodec == Codec::grouped4) put_nibbles(part, 0, 0);
  if constexpr (kCodec == Codec::grouped8) put_bytes(part, 0, 0);
}

// Unpacks the columns [column, column + columns) of the rows. They must be full blocks, and at most
// kPanelColumns.
template <Codec kCodec>
FINEPRINT_TARGET void unpack(const PanelRows& rows, std::int64_t column, std::int64_t columns,
                             Panel* panel) {
  constexpr CodecFacts kFacts = codec_facts(kCodec);
  const std::int64_t row_bytes = rows.weight->row_bytes();
  const std::int64_t step = rows.step * row_bytes;
  const std::uint8_t* first =
      rows.weight->blocks + rows.first * row_bytes + column / kFacts.values * kFacts.bytes;
  const std::int64_t bytes = columns / kFacts.values * kFacts.bytes;
  for (std::int64_t row = 0; row < kPanelRows; ++row) {
    for (std::int64_t b = 0; b < bytes; b += 64) {
      __builtin_prefetch(first + row * step + kBytesAhead + b);
    }
  }
  for (std::int64_t row = 0; row < kPanelRows; row += Set::kRows) {
    for (std::int64_t c = 0; c < columns; c += kFacts.values) {
      const Part part = {first + row * step + c / kFacts.values * kFacts.bytes, step,
                         panel->codes + c * kPanelRows + row * 4,
                         panel->steps + c / kFacts.run * kPanelRows + row,
                         panel->leasts + c / kFacts.run * kPanelRows + row};
      unpack_block<kCodec>(part);
      if constexpr (kCodec == Codec::grouped4 || kCodec == Codec::grouped8) {
        part.put_step(0, apart(rows, rows.weight->steps, row, column + c));
        part.put_least(0, apart(rows, rows.weight->leasts, row, column + c));
      }
    }
  }
}

}  // namespace
}  // namespace fineprint::nets
