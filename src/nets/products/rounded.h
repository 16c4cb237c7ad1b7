// y = x W^T + b with W as bfloat16 and x rounded to it, on processors that multiply pairs of such
// values at once. LibTorch is not seen here; what runs on which thread is the caller's affair.
#pragma once

#include <cstdint>
#include <string>

#include "nets/products/matrix.h"

namespace fineprint::nets {

// What the vectors of a product are rounded to before it; and its results behind it, where
// LibTorch's own library multiplies.
enum class Rounding { none, bfloat16, bfloat16_and_results };

// Rows of W that are worked on together: threads had best share them out in such panels.
constexpr std::int64_t kRoundedPanel = 32;

struct RoundedProduct {
  StoredMatrix weight;               // [out, in], bfloat16
  const std::uint32_t* x = nullptr;  // as round_vectors left it
  std::int64_t vectors = 0;          // at least 1
  const float* bias = nullptr;       // [out], or nullptr
  float* y = nullptr;                // [vectors, out]
};

// "avx512-bf16", or nothing: then this processor cannot, and none of the following may be called.
std::string rounded_kernel();
// Whether it has registers of whole tiles of bfloat16 (AMX), which LibTorch's library (oneDNN)
// uses.
bool has_tiles();

// Words that round_vectors needs for `vectors` of `columns` values.
std::int64_t rounded_size(std::int64_t vectors, std::int64_t columns);
// How many pieces round_vectors works in, which do not depend on each other.
std::int64_t rounded_groups(std::int64_t vectors);
// Rounds the groups [begin, end) of x [vectors, columns], to the nearest value and of two to the
// even one, and lays them side by side into `out`, which is aligned to 64 bytes. Infinities and
// NaNs stay what they are, denormals become 0.
void round_vectors(const float* x, std::int64_t vectors, std::int64_t columns, std::int64_t begin,
                   std::int64_t end, std::uint32_t* out);

// Rows [begin, end) of W, for all vectors. Sums are float32, rounded to the nearest after each
// multiplication; denormal weights and sums count as 0. y[v, r] depends on row r and vector v
// alone, to the last bit. Several threads may each do rows of their own. The matrix is read from
// memory once, however many vectors there are.
void multiply_rounded(const RoundedProduct& product, std::int64_t begin, std::int64_t end);

}  // namespace fineprint::nets
