// The layout of each type of quantised block: where its codes and scales are, value by value. All
// of it is constexpr, so that GPU kernels can use it, too (nvcc's --expt-relaxed-constexpr).
#pragma once

#include <bit>
#include <cstdint>

#include "fineprint/tensorfile/blocks.h"

namespace fineprint::tensorfile {

// Reads a 16-bit little-endian number, aligned or not.
constexpr std::uint16_t little_u16(const std::uint8_t* at) {
  return static_cast<std::uint16_t>(at[0] | at[1] << 8);
}

// Reads a 32-bit little-endian number, aligned or not.
constexpr std::uint32_t little_u32(const std::uint8_t* at) {
  return little_u16(at) | static_cast<std::uint32_t>(little_u16(at + 2)) << 16;
}

// Reads a half-precision scale. Source: IEEE 754-2008, section 3.4.
constexpr float half_at(const std::uint8_t* at) {
  const std::uint32_t half = little_u16(at);
  const std::uint32_t sign = (half & 0x8000U) << 16, magnitude = half & 0x7FFFU;
  if (magnitude >= 0x7C00U) return std::bit_cast<float>(sign | 0x7F800000U | (magnitude << 13));
  // These bits as a float are the value times 2^-112, also for denormals.
  const float scaled = std::bit_cast<float>(magnitude << 13) * 0x1p112F;
  return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(scaled));
}

// Returns half of the number 2^(code - 127). The half, because kE2m1Doubled has doubled values.
// Source: Open Compute Project, "Microscaling Formats (MX) v1.0" (2023), section 5.4.1.
constexpr float half_of_e8m0(std::uint32_t code) {
  return std::bit_cast<float>(code < 2 ? 0x00200000U << code : (code - 1) << 23);
}

// The scale of a run of values: a value is step * code + least, where both operations round to
// float32. Types without a least value use -0, because adding -0 changes nothing, not even the sign
// of a zero.
struct RunScale {
  float step = 0, least = -0.0F;
};

// Sixteen values of one byte each. The first value is in the lowest bits of `first`.
struct SixteenValues {
  std::uint64_t first = 0, last = 0;

  // Returns value i, sign-extended.
  constexpr int operator[](int i) const {
    const std::uint64_t half = i < 8 ? first : last;
    return static_cast<std::int8_t>(half >> 8 * (i & 7) & 0xFF);
  }
};

// The values of the 16 codes of IQ4: -127 -104 -83 -65 -49 -35 -22 -10 1 13 25 38 53 69 89 113.
// They are denser around zero, where most weights are. Source: ggml's IQ4_NL.
inline constexpr SixteenValues kUneven{0xF6EADDCFBFAD9881, 0x71594535'26190D01};
// The values of the 16 codes of MXFP4: 0 1 2 3 4 6 8 12 and their negatives. They are twice the
// numbers of E2M1, so that they are integers. Source: as for E8M0, section 5.3.3.
inline constexpr SixteenValues kE2m1Doubled{0x0C08060403020100, 0xF4F8FAFCFDFEFF00};

// Each layout below has these members:
//   kBlock               the type of its blocks
//   kValues, kBytes      number of values and bytes in a block
//   scale(block, run)    scale of run number `run`; a run is 16 consecutive values
//   code(block, run, i)  code of value i of that run

// Returns the code of 32 values with four bits each: low nibbles of 16 bytes first, then their high
// nibbles. For example, value 17 is the high nibble of byte 1.
constexpr int nibble_of(const std::uint8_t* codes, int run, int i) {
  return codes[i] >> 4 * run & 15;
}

// One half-precision scale; codes of four bits around 8.
// Bytes: 0-1 scale, 2-17 nibbles.
struct Q40 {
  static constexpr BlockType kBlock = BlockType::q4_0;
  static constexpr int kValues = 32, kBytes = 18;
  static constexpr RunScale scale(const std::uint8_t* block, int) { return {half_at(block)}; }
  static constexpr int code(const std::uint8_t* block, int run, int i) {
    return nibble_of(block + 2, run, i) - 8;
  }
};

// A scale and a least value in half precision; codes of four bits.
// Bytes: 0-1 scale, 2-3 least value, 4-19 nibbles.
struct Q41 {
  static constexpr BlockType kBlock = BlockType::q4_1;
  static constexpr int kValues = 32, kBytes = 20;
  static constexpr RunScale scale(const std::uint8_t* block, int) {
    return {half_at(block), half_at(block + 2)};
  }
  static constexpr int code(const std::uint8_t* block, int run, int i) {
    return nibble_of(block + 4, run, i);
  }
};

// One scale; codes of five bits around 16. Nibbles have four bits, and a word before them the
// fifth.
// Bytes: 0-1 scale, 2-5 fifth bits (bit 0 belongs to value 0), 6-21 nibbles.
struct Q50 {
  static constexpr BlockType kBlock = BlockType::q5_0;
  static constexpr int kValues = 32, kBytes = 22;
  static constexpr RunScale scale(const std::uint8_t* block, int) { return {half_at(block)}; }
  static constexpr int code(const std::uint8_t* block, int run, int i) {
    const auto fifth = static_cast<int>(little_u32(block + 2) >> (16 * run + i) & 1);
    return (nibble_of(block + 6, run, i) | fifth << 4) - 16;
  }
};

// Like Q50, but with a least value instead of the offset 16.
// Bytes: 0-1 scale, 2-3 least value, 4-7 fifth bits, 8-23 nibbles.
struct Q51 {
  static constexpr BlockType kBlock = BlockType::q5_1;
  static constexpr int kValues = 32, kBytes = 24;
  static constexpr RunScale scale(const std::uint8_t* block, int) {
    return {half_at(block), half_at(block + 2)};
  }
  static constexpr int code(const std::uint8_t* block, int run, int i) {
    return nibble_of(block + 8, run, i) |
           static_cast<int>(little_u32(block + 4) >> (16 * run + i) & 1) << 4;
  }
};

// One scale; signed codes of one byte.
// Bytes: 0-1 scale, 2-33 codes.
struct Q80 {
  static constexpr BlockType kBlock = BlockType::q8_0;
  static constexpr int kValues = 32, kBytes = 34;
  static constexpr RunScale scale(const std::uint8_t* block, int) { return {half_at(block)}; }
  static constexpr int code(const std::uint8_t* block, int run, int i) {
    return static_cast<std::int8_t>(block[2 + 16 * run + i]);
  }
};

// Blocks of 256 values, whose scales are codes themselves. Each pair of runs uses 32 bytes. Four
// pairs share the same bytes if codes have two bits, two pairs if they have four.
constexpr int code_of_two(const std::uint8_t* codes, int run, int i) {
  return codes[run / 8 * 32 + run % 2 * 16 + i] >> 2 * (run / 2 % 4) & 3;
}
// The same for codes of four bits.
constexpr int code_of_four(const std::uint8_t* codes, int run, int i) {
  return codes[run / 4 * 32 + run % 2 * 16 + i] >> 4 * (run / 2 % 2) & 15;
}

// 16 bytes with a scale and a least value of four bits each, the codes, and two halves as factors.
// Bytes: 0-15 scales and least values, 16-79 codes, 80-81 and 82-83 their factors.
struct Q2K {
  static constexpr BlockType kBlock = BlockType::q2_k;
  static constexpr int kValues = 256, kBytes = 84;
  static constexpr RunScale scale(const std::uint8_t* block, int run) {
    return {half_at(block + 80) * static_cast<float>(block[run] & 15),
            -(half_at(block + 82) * static_cast<float>(block[run] >> 4))};
  }
  static constexpr int code(const std::uint8_t* block, int run, int i) {
    return code_of_two(block + 16, run, i);
  }
};

// A third bit for each code, which adds 4 if it is set; codes of two bits; 16 scales of six bits
// around 32; one half as factor.
// Bytes: 0-31 third bits, 32-95 codes, 96-107 scales, 108-109 factor.
struct Q3K {
  static constexpr BlockType kBlock = BlockType::q3_k;
  static constexpr int kValues = 256, kBytes = 110;
  static constexpr RunScale scale(const std::uint8_t* block, int run) {
    const std::uint8_t* scales = block + 96;
    const int low = scales[run % 8] >> 4 * (run / 8) & 15;
    const int high = scales[8 + run % 4] >> 2 * (run / 4) & 3;
    return {half_at(block + 108) * static_cast<float>((low | high << 4) - 32)};
  }
  static constexpr int code(const std::uint8_t* block, int run, int i) {
    return code_of_two(block + 32, run, i) -
           ((block[run % 2 * 16 + i] >> run / 2 & 1) != 0 ? 0 : 4);
  }
};

// Returns the scale of run 0 to 7 (of 32 values each) from twelve bytes. Runs of the first half
// have six bits of one byte each. Runs of the second half have four bits in the last bytes, and two
// bits in the bits that the first half leaves free.
constexpr RunScale six_bit_scale(const std::uint8_t* block, int run) {
  const std::uint8_t* packed = block + 4;
  const int step =
      run < 4 ? packed[run] & 63 : (packed[run + 4] & 15) | (packed[run - 4] >> 2 & 0x30);
  const int least =
      run < 4 ? packed[run + 4] & 63 : (packed[run + 4] >> 4) | (packed[run] >> 2 & 0x30);
  return {half_at(block) * static_cast<float>(step),
          -(half_at(block + 2) * static_cast<float>(least))};
}

// Two halves as factors, scales as in six_bit_scale(), codes of four bits.
// Bytes: 0-1 and 2-3 factors, 4-15 scales and least values, 16-143 codes.
struct Q4K {
  static constexpr BlockType kBlock = BlockType::q4_k;
  static constexpr int kValues = 256, kBytes = 144;
  static constexpr RunScale scale(const std::uint8_t* block, int run) {
    return six_bit_scale(block, run / 2);
  }
  static constexpr int code(const std::uint8_t* block, int run, int i) {
    return code_of_four(block + 16, run, i);
  }
};

// Like Q4K, with the fifth bits of the codes before the four-bit parts.
// Bytes: 0-1 and 2-3 factors, 4-15 scales and least values, 16-47 fifth bits, 48-175 nibbles.
struct Q5K {
  static constexpr BlockType kBlock = BlockType::q5_k;
  static constexpr int kValues = 256, kBytes = 176;
  static constexpr RunScale scale(const std::uint8_t* block, int run) {
    return six_bit_scale(block, run / 2);
  }
  static constexpr int code(const std::uint8_t* block, int run, int i) {
    return code_of_four(block + 48, run, i) | (block[16 + run % 2 * 16 + i] >> run / 2 & 1) << 4;
  }
};

// Four low bits of each code, two high bits, 16 scales of eight bits, one half as factor. In each
// half of the block, the low nibbles of 64 bytes come first, then their high nibbles.
// Bytes: 0-127 low bits, 128-191 high bits, 192-207 scales, 208-209 factor.
struct Q6K {
  static constexpr BlockType kBlock = BlockType::q6_k;
  static constexpr int kValues = 256, kBytes = 210;
  static constexpr RunScale scale(const std::uint8_t* block, int run) {
    const auto part = static_cast<std::int8_t>(block[192 + run]);
    return {half_at(block + 208) * static_cast<float>(part)};
  }
  static constexpr int code(const std::uint8_t* block, int run, int i) {
    const int half = run / 8, pair = run / 2 % 4;
    const int low = block[half * 64 + run % 4 * 16 + i] >> 4 * (pair / 2) & 15;
    const int high = block[128 + half * 32 + run % 2 * 16 + i] >> 2 * pair & 3;
    return (low | high << 4) - 32;
  }
};

// One scale; codes of four bits that select a value of kUneven.
// Bytes: 0-1 scale, 2-17 nibbles.
struct Iq4Nl {
  static constexpr BlockType kBlock = BlockType::iq4_nl;
  static constexpr int kValues = 32, kBytes = 18;
  static constexpr RunScale scale(const std::uint8_t* block, int) { return {half_at(block)}; }
  static constexpr int code(const std::uint8_t* block, int run, int i) {
    return kUneven[nibble_of(block + 2, run, i)];
  }
};

// Like Iq4Nl for 256 values. Scales have six bits around 32: two bits in one place, four in
// another.
// Bytes: 0-1 factor, 2-3 high bits of scales, 4-7 their low bits, 8-135 nibbles.
struct Iq4Xs {
  static constexpr BlockType kBlock = BlockType::iq4_xs;
  static constexpr int kValues = 256, kBytes = 136;
  static constexpr RunScale scale(const std::uint8_t* block, int run) {
    const int of_32 = run / 2;
    const int low = block[4 + of_32 / 2] >> 4 * (of_32 % 2) & 15;
    const int high = little_u16(block + 2) >> 2 * of_32 & 3;
    return {half_at(block) * static_cast<float>((low | high << 4) - 32)};
  }
  static constexpr int code(const std::uint8_t* block, int run, int i) {
    return kUneven[nibble_of(block + 8 + run / 2 * 16, run % 2, i)];
  }
};

// One power of two as scale (E8M0); codes of four bits that select a number of E2M1.
// Bytes: 0 scale, 1-16 nibbles.
struct Mxfp4 {
  static constexpr BlockType kBlock = BlockType::mxfp4;
  static constexpr int kValues = 32, kBytes = 17;
  static constexpr RunScale scale(const std::uint8_t* block, int) {
    return {half_of_e8m0(block[0])};
  }
  static constexpr int code(const std::uint8_t* block, int run, int i) {
    return kE2m1Doubled[nibble_of(block + 1, run, i)];
  }
};

}  // namespace fineprint::tensorfile
