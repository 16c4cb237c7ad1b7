// The three sweeps over a row that hybrid-mask scoring consists of; each instruction set has its
// own in a file of its own. A row stays in the first two cache levels between them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace fineprint::score {

// How the agreement x_j comes from the product c_j = query_j row_j: (bits of c & keep) ^ flip. It
// makes |c|, c, -|c| and -c without a branch.
struct Agreement {
  std::uint32_t keep = 0x7FFFFFFFu;
  std::uint32_t flip = 0;
};

// One row and the query.
struct MaskRow {
  const float* query = nullptr;  // of unit length, [dim]
  const float* row = nullptr;    // [dim]
  float* agreement = nullptr;    // x, [dim]: written by the first sweep, read by the others
  std::size_t dim = 0;
};

struct ProductSums {
  double agreement = 0;        // sum of x
  double product = 0;          // of c
  double product_squares = 0;  // of c^2, the same as of x^2
  double row_squares = 0;
};

// sigma = 1 / (1 + 2^exponent), exponent = slope x + offset.
struct Squash {
  float slope = 0;
  float offset = 0;
  // Some exponent may lie outside [-kLargestExponent, kLargestExponent], where it is held.
  bool hold = false;
  // Memory that the next row will need, asked for on the way: 32 values of it are `ahead_step`
  // bytes.
  const std::uint8_t* ahead = nullptr;
  std::size_t ahead_step = 0;
};
// Of two sigmas at once one quotient is made: 2^28 squared is far from the largest float32.
constexpr float kLargestExponent = 28.0F;

struct SquashedSums {
  double sum = 0;      // of sigma
  double squares = 0;  // of sigma^2
};

struct MaskedSums {
  double product = 0;      // sum of 2 M c
  double row_squares = 0;  // of (2 M row)^2
};

struct MaskKernel {
  ProductSums (*sum_products)(const MaskRow& row, const Agreement& agreement);
  SquashedSums (*sum_squashed)(const float* agreement, std::size_t dim, const Squash& squash);
  // 2 M_j = [x_j > low] + [x_j > high].
  MaskedSums (*sum_masked)(const MaskRow& row, float low, float high);
};

extern const MaskKernel kMaskPortable;
#if defined(__x86_64__)
extern const MaskKernel kMaskAvx2;
extern const MaskKernel kMaskAvx512;
#endif

}  // namespace fineprint::score
