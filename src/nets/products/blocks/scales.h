// The scale of a run of vectors' codes, on every instruction set alike.
#pragma once

#include <bit>
#include <cstdint>

namespace fineprint::nets {

constexpr float kLargestVectorCode = 127;

// Of the bits of the value of greatest size in the run. Denormals are nothing beside any other
// value, and the quotient of one would be none.
inline float largest_scale(std::int32_t bits) {
  const auto largest = std::bit_cast<float>(bits);
  return largest < 0x1p-100F ? 0.0F : largest / kLargestVectorCode;
}
// 0 where there is none: the codes of a run with an infinity or NaN are 0, and its scale is not
// finite.
inline float inverse_of(float scale) {
  const float inverse = 1 / scale;
  return inverse > 0 && inverse < 0x1p110F ? inverse : 0.0F;
}

}  // namespace fineprint::nets
