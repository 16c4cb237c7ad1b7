// How much each pixel of a row or column counts for each pixel of the result.
#pragma once

#include <cstdint>
#include <vector>

#include "fineprint/image/resample.h"

namespace fineprint::image {

// Weights as fixed-point numbers with `precision` fractional bits, two neighbours to a word (the
// first in the lower half), for multiply-add instructions on 16-bit numbers. Weights of more than
// 16 bits are split: weight = high * 256 + low.
struct FixedWeights {
  int precision = 0;
  bool split = false;
  int pairs = 0;                   // words a result pixel, unused ones zero
  std::vector<int> begin;          // [out] first source pixel
  std::vector<int> used;           // [out] words that matter
  std::vector<std::int32_t> low;   // [out * pairs]
  std::vector<std::int32_t> high;  // [out * pairs] when split
};

FixedWeights fixed_weights(int from, int to, Filter filter, Arithmetic arithmetic);

}  // namespace fineprint::image
