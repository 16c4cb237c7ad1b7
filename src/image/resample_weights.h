// Computes how much each pixel of a row or column contributes to each pixel of the result.
#pragma once

#include <cstdint>
#include <vector>

#include "fineprint/image/resample.h"

namespace fineprint::image {

// Weights as fixed-point numbers with `precision` fractional bits. Two neighbouring weights share a
// word, the first in the lower half, as multiply-add instructions on 16-bit numbers need it.
// Weights of more than 16 bits are split: weight = high * 256 + low.
struct FixedWeights {
  int precision = 0;
  bool split = false;
  int pairs = 0;                   // words per result pixel; unused ones are zero
  std::vector<int> begin;          // [out] first source pixel
  std::vector<int> used;           // [out] words that are not zero
  std::vector<std::int32_t> low;   // [out * pairs]
  std::vector<std::int32_t> high;  // [out * pairs], only if split
};

// Returns the weights for resizing `from` pixels to `to` pixels.
FixedWeights fixed_weights(int from, int to, Filter filter, Arithmetic arithmetic);

}  // namespace fineprint::image
