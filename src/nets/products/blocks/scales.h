// The scale of a run of codes of a vector; every instruction set computes it in the same way.
#pragma once

#include <bit>
#include <cstdint>

namespace fineprint::nets {

constexpr float kLargestVectorCode = 127;

// Returns the scale of a run. `bits` are those of its largest absolute value. A run of denormals
// gets scale 0, because dividing by its scale would overflow.
inline float largest_scale(std::int32_t bits) {
  const auto largest = std::bit_cast<float>(bits);
  return largest < 0x1p-100F ? 0.0F : largest / kLargestVectorCode;
}
// Returns 1 / scale, or 0 if it is not finite. If a run has an infinity or NaN, its codes thus
// become 0, and its scale is not finite.
inline float inverse_of(float scale) {
  const float inverse = 1 / scale;
  return inverse > 0 && inverse < 0x1p110F ? inverse : 0.0F;
}

}  // namespace fineprint::nets
