// Where codes and scales lie in each type of blocks, value by value: for the CPU and, as all of it
// is constexpr, for kernels on GPUs (nvcc's --expt-relaxed-constexpr).
#pragma once

#include <bit>
#include <cstdint>

#include "fineprint/tensorfile/blocks.h"

namespace fineprint::tensorfile {

constexpr std::uint16_t little_u16(const std::uint8_t* at) {
  return static_cast<std::uint16_t>(at[0] | at[1] << 8);
}

constexpr std::uint32_t little_u32(const std::uint8_t* at) {
  return little_u16(at) | static_cast<std::uint32_t>(little_u16(at + 2)) << 16;
}

// A half-precision scale. Source: IEEE 754-2008, section 3.4.
constexpr float half_at(const std::uint8_t* at) {
  const std::uint32_t half = little_u16(at);
  const std::uint32_t sign = (half & 0x8000U) << 16, magnitude = half & 0x7FFFU;
  if (magnitude >= 0x7C00U) return std::bit_cast<float>(sign | 0x7F800000U | (magnitude << 13));
  // The bits in place give the value times 2^-112, also of denormals.
  const float scaled = std::bit_cast<float>(magnitude << 13) * 0x1p112F;
  return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(scaled));
}

// Half of the number 2^(code - 127). Source: Open Compute Project, "Microscaling Formats (MX) v1.0"
// (2023), section 5.4.1.
constexpr float half_of_e8m0(std::uint32_t code) {
  return std::bit_cast<float>(code < 2 ? 0x00200000U << code : (code - 1) << 23);
}

// A value is step * code + least, each of both operations rounded to float32. Adding -0 changes
// nothing, not even the sign of a zero.
struct RunScale {
  float step = 0, least = -0.0F;
};

// Sixteen values of a byte each, the first in the lowest bits of `first`.
struct SixteenValues {
  std::uint64_t first = 0, last = 0;

  constexpr int operator[](int i) const {
    const std::uint64_t half = i < 8 ? first : last;
    return static_cast<std::int8_t>(half >> 8 * (i & 7) & 0xFF);
  }
};

// -127 -104 -83 -65 -49 -35 -22 -10 1 13 25 38 53 69 89 113: denser around zero, where most weights
// are. Source: ggml's IQ4_NL.
inline constexpr SixteenValues kUneven{0xF6EADDCFBFAD9881, 0x71594535'26190D01};
// 0 1 2 3 4 6 8 12 and their negatives: twice the numbers of E2M1. Source: as of E8M0,
// section 5.3.3.
inline constexpr SixteenValues kE2m1Doubled{0x0C08060403020100, 0xF4F8FAFCFDFEFF00};

// Each layout has
//   kBlock             what it is called,
//   kValues, kBytes    of one block,
//   scale(block, run)    of the run of 16 values number `run`,
//   code(block, run, i)  of value i of that run.

// 32 values with four bits each: low nibbles of 16 bytes, then their high ones.
constexpr int nibble_of(const std::uint8_t* codes, int run, int i) {
  return codes[i] >> 4 * run & 15;
}

struct Q40 {
  static constexpr BlockType kBlock = BlockType::q4_0;
  static constexpr int kValues = 32, kBytes = 18;
  static constexpr RunScale scale(const std::uint8_t* block, int) { return {half_at(block)}; }
  static constexpr int code(const std::uint8_t* block, int run, int i) {
    return nibble_of(block + 2, run, i) - 8;
  }
};

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

// Four bits of nibbles, and the fifth of a word before them.
struct Q50 {
  static constexpr BlockType kBlock = BlockType::q5_0;
  static constexpr int kValues = 32, kBytes = 22;
  static constexpr RunScale scale(const std::uint8_t* block, int) { return {half_at(block)}; }
  static constexpr int code(const std::uint8_t* block, int run, int i) {
    const auto fifth = static_cast<int>(little_u32(block + 2) >> (16 * run + i) & 1);
    return (nibble_of(block + 6, run, i) | fifth << 4) - 16;
  }
};

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

struct Q80 {
  static constexpr BlockType kBlock = BlockType::q8_0;
  static constexpr int kValues = 32, kBytes = 34;
  static constexpr RunScale scale(const std::uint8_t* block, int) { return {half_at(block)}; }
  static constexpr int code(const std::uint8_t* block, int run, int i) {
    return static_cast<std::int8_t>(block[2 + 16 * run + i]);
  }
};

// Blocks of 256 values, whose scales are codes themselves. Each pair of runs lies in 32 bytes,
// which four pairs share if their codes have two bits, two if they have four.
constexpr int code_of_two(const std::uint8_t* codes, int run, int i) {
  return codes[run / 8 * 32 + run % 2 * 16 + i] >> 2 * (run / 2 % 4) & 3;
}
constexpr int code_of_four(const std::uint8_t* codes, int run, int i) {
  return codes[run / 4 * 32 + run % 2 * 16 + i] >> 4 * (run / 2 % 2) & 15;
}

// 16 bytes of scales and least values (four bits each), codes, two halves.
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

// A third bit of each code, which adds 4 where it is set; codes of two bits; 16 scales of six bits
// around 32; one half.
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

// Of run 0 to 7 (of 32 values) in twelve bytes: the runs of the first half have six bits of a byte
// each, those of the second half four bits of the last bytes and the two that the first half
// leaves.
constexpr RunScale six_bit_scale(const std::uint8_t* block, int run) {
  const std::uint8_t* packed = block + 4;
  const int step =
      run < 4 ? packed[run] & 63 : (packed[run + 4] & 15) | (packed[run - 4] >> 2 & 0x30);
  const int least =
      run < 4 ? packed[run + 4] & 63 : (packed[run + 4] >> 4) | (packed[run] >> 2 & 0x30);
  return {half_at(block) * static_cast<float>(step),
          -(half_at(block + 2) * static_cast<float>(least))};
}

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

// With a fifth bit of each code before the four.
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

// Four low bits of each code, two high ones, 16 scales of eight bits, one half. In each half of the
// block low nibbles of 64 bytes come first, then their high ones.
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

struct Iq4Nl {
  static constexpr BlockType kBlock = BlockType::iq4_nl;
  static constexpr int kValues = 32, kBytes = 18;
  static constexpr RunScale scale(const std::uint8_t* block, int) { return {half_at(block)}; }
  static constexpr int code(const std::uint8_t* block, int run, int i) {
    return kUneven[nibble_of(block + 2, run, i)];
  }
};

// Scales of six bits around 32, which have two bits in one place and four in another.
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
