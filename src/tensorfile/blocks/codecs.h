// What turns one block into its values, for each type; and the pieces that they share.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace fineprint::tensorfile {

// Of one block, whose bytes and values are as many as its type has.
using WidenBlock = void (*)(const std::uint8_t* block, float* values);

// 32 values, codes in a row. Small: 4 or 5 bits; `_0`: around 0, `_1`: above a least value.
void widen_q4_0(const std::uint8_t* block, float* values);
void widen_q4_1(const std::uint8_t* block, float* values);
void widen_q5_0(const std::uint8_t* block, float* values);
void widen_q5_1(const std::uint8_t* block, float* values);
void widen_q8_0(const std::uint8_t* block, float* values);

// 256 values, in runs of 16 or 32 whose scales are codes themselves.
void widen_q2_k(const std::uint8_t* block, float* values);
void widen_q3_k(const std::uint8_t* block, float* values);
void widen_q4_k(const std::uint8_t* block, float* values);
void widen_q5_k(const std::uint8_t* block, float* values);
void widen_q6_k(const std::uint8_t* block, float* values);

// Codes that name one of sixteen values.
void widen_iq4_nl(const std::uint8_t* block, float* values);
void widen_iq4_xs(const std::uint8_t* block, float* values);
void widen_mxfp4(const std::uint8_t* block, float* values);

inline std::uint16_t little_u16(const std::uint8_t* at) {
  return static_cast<std::uint16_t>(at[0] | at[1] << 8);
}

// A half-precision scale. Source: IEEE 754-2008, section 3.4.
inline float half_at(const std::uint8_t* at) {
  const std::uint32_t half = little_u16(at);
  const std::uint32_t sign = (half & 0x8000U) << 16, magnitude = half & 0x7FFFU;
  if (magnitude >= 0x7C00U) return std::bit_cast<float>(sign | 0x7F800000U | (magnitude << 13));
  // The bits in place give the value times 2^-112, also of denormals.
  const float scaled = std::bit_cast<float>(magnitude << 13) * 0x1p112F;
  return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(scaled));
}

}  // namespace fineprint::tensorfile
