// Functions on registers. The file of each instruction set includes this after it has defined
// FINEPRINT_TARGET and the type `Set` of its registers and their operations.
#pragma once

#include <cstddef>
#include <cstdint>

#define FINEPRINT_INLINE FINEPRINT_TARGET inline __attribute__((always_inline))

namespace fineprint::nets {
namespace {

using Lanes = Set::Lanes;

// Evaluates a polynomial; the constant term comes first.
template <std::size_t kTerms>
FINEPRINT_INLINE Lanes polynomial(Lanes x, const float (&terms)[kTerms]) {
  Lanes sum = Set::all(terms[kTerms - 1]);
#pragma GCC unroll 8
  for (std::size_t i = kTerms - 1; i > 0; --i)
    sum = Set::add_product(sum, x, Set::all(terms[i - 1]));
  return sum;
}

// Loads the first `count` values, and `other` for the rest.
FINEPRINT_INLINE Lanes load_some(const float* at, std::int64_t count, float other) {
  alignas(64) float values[Set::kLanes];
  for (std::int64_t i = 0; i < Set::kLanes; ++i) values[i] = i < count ? at[i] : other;
  return Set::load(values);
}

// Computes x / 2 * (1 + erf(x / sqrt 2)). erf(z) is approximated by z P(z^2) / Q(z^2). The
// coefficients are least squares, weighted to reduce the largest error: 1.7e-8 of erf up to 3.9,
// where erf is 1 in float32.
FINEPRINT_INLINE Lanes gelu(Lanes x) {
  constexpr float kP[] = {1.1283791F,    0.18966706F,    0.052668113F,
                          0.0037383561F, 0.00028506244F, 2.0664718e-06F};
  constexpr float kQ[] = {1.0F,         0.50142086F,   0.11381906F,
                          0.014914297F, 0.0011573787F, 3.827002e-05F};
  constexpr float kEnd = 3.9F;
  // NaN must be the second operand, because min and max return that one.
  Lanes z = Set::times(x, Set::all(0.70710678F));
  z = Set::least(Set::all(kEnd), Set::largest(Set::all(-kEnd), z));
  const Lanes square = Set::times(z, z);
  const Lanes erf = Set::divide(Set::times(z, polynomial(square, kP)), polynomial(square, kQ));
  // Below -5.6, gelu is 0 in float32, but this erf is not -1 to the last bit.
  const Lanes half = Set::times(Set::all(0.5F), Set::largest(Set::all(-5.6F), x));
  return Set::add_product(half, erf, half);
}

}  // namespace
}  // namespace fineprint::nets
