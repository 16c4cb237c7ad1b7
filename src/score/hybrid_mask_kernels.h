// The three sweeps over a row that make up hybrid-mask scoring. Each instruction set implements
// them in a file of its own. A row stays in the first two cache levels between the sweeps.
#pragma once

#include <cstddef>
#include <cstdint>

namespace fineprint::score {

// How to compute the agreement x_j from the product c_j = query_j row_j: (bits of c & keep) ^ flip.
// This gives |c|, c, -|c| or -c without a branch.
struct Agreement {
  std::uint32_t keep = 0x7FFFFFFFu;
  std::uint32_t flip = 0;
};

// One row, and the query.
struct MaskRow {
  const float* query = nullptr;  // of unit length, [dim]
  const float* row = nullptr;    // [dim]
  float* agreement = nullptr;    // x, [dim]: the first sweep writes it, the others read it
  std::size_t dim = 0;
};

struct ProductSums {
  double agreement = 0;        // sum of x
  double product = 0;          // sum of c
  double product_squares = 0;  // sum of c^2, which equals that of x^2
  double row_squares = 0;
};

// sigma = 1 / (1 + 2^exponent), where exponent = slope x + offset.
struct Squash {
  float slope = 0;
  float offset = 0;
  // True if some exponent may be outside [-kLargestExponent, kLargestExponent] and must be clamped.
  bool hold = false;
  // Memory that the next row needs, prefetched in passing: `ahead_step` bytes for each 32 values.
  const std::uint8_t* ahead = nullptr;
  std::size_t ahead_step = 0;
};
// Two sigmas share one quotient, so two powers are multiplied. 2^28 squared is far below the
// largest float32.
constexpr float kLargestExponent = 28.0F;

struct SquashedSums {
  double sum = 0;      // sum of sigma
  double squares = 0;  // sum of sigma^2
};

struct MaskedSums {
  double product = 0;      // sum of 2 M c
  double row_squares = 0;  // sum of (2 M row)^2
};

// The kernels of one instruction set, in the order of the sweeps.
struct MaskKernel {
  ProductSums (*sum_products)(const MaskRow& row, const Agreement& agreement);
  SquashedSums (*sum_squashed)(const float* agreement, std::size_t dim, const Squash& squash);
  // Uses 2 M_j = [x_j > low] + [x_j > high].
  MaskedSums (*sum_masked)(const MaskRow& row, float low, float high);
};

extern const MaskKernel kMaskPortable;
#if defined(__x86_64__)
extern const MaskKernel kMaskAvx2;
extern const MaskKernel kMaskAvx512;
#elif defined(__aarch64__)
extern const MaskKernel kMaskNeon;
#endif

}  // namespace fineprint::score
