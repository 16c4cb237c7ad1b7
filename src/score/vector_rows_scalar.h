// Converts single numbers between float32 and the types of VectorRows. Exact; the portable kernel
// uses them, and they round as processors do.
#pragma once

#include <bit>
#include <cstdint>

namespace fineprint::score {

inline float float_of_bf16(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

inline float float_of_f16(std::uint16_t bits) {
  const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000u) << 16;
  const std::uint32_t exponent = (bits >> 10) & 0x1Fu;
  const std::uint32_t fraction = bits & 0x3FFu;
  if (exponent == 0) {  // zero and denormals: fraction * 2^-24
    const float value = static_cast<float>(fraction) * 0x1p-24F;
    return sign == 0 ? value : -value;
  }
  if (exponent == 31) {  // infinity, or NaN, which is made quiet as processors do
    const std::uint32_t quiet = fraction == 0 ? 0 : 0x400000u;
    return std::bit_cast<float>(sign | 0x7F800000u | quiet | (fraction << 13));
  }
  return std::bit_cast<float>(sign | ((exponent + 112) << 23) | (fraction << 13));
}

// Both round to nearest, ties to even. A NaN stays NaN.
inline std::uint16_t bf16_of_float(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if (value != value) return static_cast<std::uint16_t>((bits >> 16) | 0x40u);
  return static_cast<std::uint16_t>((bits + 0x7FFFu + ((bits >> 16) & 1u)) >> 16);
}

inline std::uint16_t f16_of_float(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = (bits >> 16) & 0x8000u;
  const std::uint32_t size = bits & 0x7FFFFFFFu;
  std::uint32_t half = 0;
  if (size > 0x7F800000u) {
    half = 0x7E00u | ((size >> 13) & 0x3FFu);
  } else if (size >=
             0x477FF000u) {  // 65520 and more: halfway past the largest float16, so infinity
    half = 0x7C00u;
  } else if (size < 0x38800000u) {  // below 2^-14: adding 1/2 shifts and rounds the bits in place
    half = std::bit_cast<std::uint32_t>(std::bit_cast<float>(size) + 0.5F) - 0x3F000000u;
  } else {
    half = (size - 0x38000000u + 0xFFFu + ((size >> 13) & 1u)) >> 13;
  }
  return static_cast<std::uint16_t>(sign | half);
}

}  // namespace fineprint::score
