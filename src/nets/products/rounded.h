// y = x W^T + b with W as bfloat16 and x rounded to it, on processors that multiply pairs of such
// values at once. Does not use LibTorch; the caller divides the work among threads.
#pragma once

#include <cstdint>
#include <string>

#include "nets/products/matrix.h"

namespace fineprint::nets {

// What a product rounds: nothing, its vectors, or its vectors and its results. The last one is the
// case if LibTorch's own library multiplies.
enum class Rounding { none, bfloat16, bfloat16_and_results };

// Rows of W that are multiplied together; threads should divide W into such panels.
constexpr std::int64_t kRoundedPanel = 32;

// One product.
struct RoundedProduct {
  StoredMatrix weight;               // [out, in], bfloat16
  const std::uint32_t* x = nullptr;  // the output of round_vectors
  std::int64_t vectors = 0;          // at least 1
  const float* bias = nullptr;       // [out], or nullptr
  float* y = nullptr;                // [vectors, out]
};

// Returns "avx512-bf16", or an empty string if this processor has no such instructions; then none
// of the functions below may be called.
std::string rounded_kernel();
// Returns true if the processor has tile registers of bfloat16 (AMX), which LibTorch's library
// (oneDNN) uses.
bool has_tiles();

// Returns the words that round_vectors writes for `vectors` of `columns` values.
std::int64_t rounded_size(std::int64_t vectors, std::int64_t columns);
// Returns into how many independent groups round_vectors divides the vectors.
std::int64_t rounded_groups(std::int64_t vectors);
// Rounds the groups [begin, end) of x [vectors, columns] to nearest, ties to even, and arranges
// them in `out`, which must be aligned to 64 bytes. Infinities and NaNs stay as they are; denormals
// become 0.
void round_vectors(const float* x, std::int64_t vectors, std::int64_t columns, std::int64_t begin,
                   std::int64_t end, std::uint32_t* out);

// Multiplies rows [begin, end) of W, for all vectors. Sums are in float32, rounded to nearest after
// each multiplication; denormal weights and sums count as 0. y[v, r] depends only on row r and
// vector v, to the last bit. Several threads may each multiply different rows. The matrix is read
// from memory once, for any number of vectors.
void multiply_rounded(const RoundedProduct& product, std::int64_t begin, std::int64_t end);

}  // namespace fineprint::nets
