// Blocks of 32 values that lie in a row, with one scale and perhaps a least value.
#include "tensorfile/blocks/codecs.h"

namespace fineprint::tensorfile {
namespace {

constexpr int kSmallHalf = 16;  // the first half are low nibbles, the second the high ones

std::uint32_t little_u32(const std::uint8_t* at) {
  return at[0] | at[1] << 8 | at[2] << 16 | static_cast<std::uint32_t>(at[3]) << 24;
}

// The code of a value: four bits of `nibbles`, and the fifth of `high`.
int code_of_five(const std::uint8_t* nibbles, std::uint32_t high, int i) {
  const int low = i < kSmallHalf ? nibbles[i] & 15 : nibbles[i - kSmallHalf] >> 4;
  return low | static_cast<int>(high >> i & 1) << 4;
}

}  // namespace

void widen_q4_0(const std::uint8_t* block, float* values) {
  const float scale = half_at(block);
  const std::uint8_t* codes = block + 2;
  for (int i = 0; i < kSmallHalf; ++i) {
    values[i] = scale * static_cast<float>((codes[i] & 15) - 8);
    values[i + kSmallHalf] = scale * static_cast<float>((codes[i] >> 4) - 8);
  }
}

void widen_q4_1(const std::uint8_t* block, float* values) {
  const float scale = half_at(block), least = half_at(block + 2);
  const std::uint8_t* codes = block + 4;
  for (int i = 0; i < kSmallHalf; ++i) {
    values[i] = scale * static_cast<float>(codes[i] & 15) + least;
    values[i + kSmallHalf] = scale * static_cast<float>(codes[i] >> 4) + least;
  }
}

void widen_q5_0(const std::uint8_t* block, float* values) {
  const float scale = half_at(block);
  const std::uint32_t high = little_u32(block + 2);
  for (int i = 0; i < 2 * kSmallHalf; ++i) {
    values[i] = scale * static_cast<float>(code_of_five(block + 6, high, i) - 16);
  }
}

void widen_q5_1(const std::uint8_t* block, float* values) {
  const float scale = half_at(block), least = half_at(block + 2);
  const std::uint32_t high = little_u32(block + 4);
  for (int i = 0; i < 2 * kSmallHalf; ++i) {
    values[i] = scale * static_cast<float>(code_of_five(block + 8, high, i)) + least;
  }
}

void widen_q8_0(const std::uint8_t* block, float* values) {
  const float scale = half_at(block);
  for (int i = 0; i < 2 * kSmallHalf; ++i) {
    values[i] = static_cast<float>(static_cast<std::int8_t>(block[2 + i])) * scale;
  }
}

}  // namespace fineprint::tensorfile
