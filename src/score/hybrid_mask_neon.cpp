// The three sweeps of hybrid-mask scoring with NEON, which every 64-bit ARM processor has.
#if defined(__aarch64__)

#include <algorithm>

#include <arm_neon.h>

#include "score/hybrid_mask_kernels.h"

namespace fineprint::score {
namespace {

constexpr std::size_t kLanes = 4;
// Chains of each sum: for speed, and because shorter chains round less.
constexpr std::size_t kChains = 4;
constexpr std::size_t kStep = kLanes * kChains;

using Chains = float32x4_t[kChains];

// Adds the lanes in float64: rounding then comes only from the sums within each lane.
inline double sum_of(const Chains& chains) {
  const float32x4_t lanes =
      vaddq_f32(vaddq_f32(chains[0], chains[1]), vaddq_f32(chains[2], chains[3]));
  return vaddvq_f64(vaddq_f64(vcvt_f64_f32(vget_low_f32(lanes)), vcvt_high_f64_f32(lanes)));
}

// Loads the first `count` values, and zeros after them.
inline float32x4_t load_some(const float* at, std::size_t count) {
  float values[kLanes] = {};
  std::copy_n(at, std::min(count, kLanes), values);
  return vld1q_f32(values);
}

struct ProductChains {
  Chains agreement = {};
  Chains product = {};
  Chains product_squares = {};
  Chains row_squares = {};
};

// Adds to the sums of one chain. Returns the agreement.
inline float32x4_t add_products(float32x4_t query, float32x4_t row, const Agreement& agreement,
                                std::size_t chain, ProductChains& sums) {
  const float32x4_t c = vmulq_f32(query, row);
  const uint32x4_t kept = vandq_u32(vreinterpretq_u32_f32(c), vdupq_n_u32(agreement.keep));
  const float32x4_t x = vreinterpretq_f32_u32(veorq_u32(kept, vdupq_n_u32(agreement.flip)));
  sums.agreement[chain] = vaddq_f32(sums.agreement[chain], x);
  sums.product[chain] = vaddq_f32(sums.product[chain], c);
  sums.product_squares[chain] = vfmaq_f32(sums.product_squares[chain], c, c);
  sums.row_squares[chain] = vfmaq_f32(sums.row_squares[chain], row, row);
  return x;
}

// Computes all four sums in one pass, and stores the agreements for the other sweeps.
ProductSums sum_products(const MaskRow& row, const Agreement& agreement) {
  ProductChains sums;
  std::size_t i = 0;
  for (; i + kStep <= row.dim; i += kStep) {
#pragma GCC unroll 4
    for (std::size_t chain = 0; chain < kChains; ++chain) {
      const std::size_t at = i + kLanes * chain;
      vst1q_f32(row.agreement + at, add_products(vld1q_f32(row.query + at), vld1q_f32(row.row + at),
                                                 agreement, chain, sums));
    }
  }
  for (; i < row.dim; i += kLanes) {
    const std::size_t left = row.dim - i;
    // A lane past the end is zero; its agreement may be -0, which adds nothing.
    float x[kLanes];
    vst1q_f32(x, add_products(load_some(row.query + i, left), load_some(row.row + i, left),
                              agreement, 0, sums));
    std::copy_n(x, std::min(left, kLanes), row.agreement + i);
  }
  return {sum_of(sums.agreement), sum_of(sums.product), sum_of(sums.product_squares),
          sum_of(sums.row_squares)};
}

// 1 + 2^x for x in [-28, 28]: 2^x = 2^n 2^f, where n is the integer nearest to x. On [-1/2, 1/2]
// the polynomial is within 2.1e-8 of 2^f, relatively; its coefficients are least squares, weighted
// to reduce the largest error.
inline float32x4_t one_plus_power(float32x4_t x) {
  constexpr float kTerms[] = {0.6931472F,   0.24022649F,   0.055503286F,
                              0.009618351F, 0.0013399922F, 0.0001537698F};
  const float32x4_t whole = vrndnq_f32(x);
  const float32x4_t f = vsubq_f32(x, whole);
  const int32x4_t exponent = vaddq_s32(vcvtq_s32_f32(whole), vdupq_n_s32(127));
  const float32x4_t scale = vreinterpretq_f32_s32(vshlq_n_s32(exponent, 23));
  float32x4_t power = vdupq_n_f32(kTerms[5]);
#pragma GCC unroll 5
  for (int i = 4; i >= 0; --i) power = vfmaq_f32(vdupq_n_f32(kTerms[i]), power, f);
  const float32x4_t one = vdupq_n_f32(1.0F);
  return vfmaq_f32(one, scale, vfmaq_f32(one, power, f));
}

struct SquashedChains {
  Chains sum = {};
  Chains squares = {};
  Chains quotients = {};
};

// With a = 1 + 2^x and b from another lane: 1/a + 1/b = (a + b) / ab, and the sum of the squares is
// the square of that minus 2 / ab. So one division serves two sigmas.
inline void add_pair(float32x4_t x, float32x4_t y, std::size_t chain, SquashedChains& sums) {
  const float32x4_t a = one_plus_power(x), b = one_plus_power(y);
  const float32x4_t quotient = vdivq_f32(vdupq_n_f32(1.0F), vmulq_f32(a, b));
  const float32x4_t sum = vmulq_f32(vaddq_f32(a, b), quotient);
  sums.sum[chain] = vaddq_f32(sums.sum[chain], sum);
  sums.squares[chain] = vfmaq_f32(sums.squares[chain], sum, sum);
  sums.quotients[chain] = vaddq_f32(sums.quotients[chain], quotient);
}

// Clamps only if kHold is set, because most rows do not need it.
template <bool kHold>
inline float32x4_t exponent_of(float32x4_t agreement, const Squash& squash) {
  const float32x4_t value =
      vfmaq_f32(vdupq_n_f32(squash.offset), agreement, vdupq_n_f32(squash.slope));
  if constexpr (!kHold) return value;
  const float32x4_t most = vdupq_n_f32(kLargestExponent);
  return vminq_f32(vmaxq_f32(value, vnegq_f32(most)), most);
}

template <bool kHold>
SquashedSums sum_squashed_as(const float* agreement, std::size_t dim, const Squash& squash) {
  SquashedChains sums;
  const std::uint8_t* ahead = squash.ahead;
  std::size_t i = 0;
  for (; i + 2 * kStep <= dim; i += 2 * kStep) {
    __builtin_prefetch(ahead);
    __builtin_prefetch(ahead + squash.ahead_step / 2);
    ahead += squash.ahead_step;
#pragma GCC unroll 4
    for (std::size_t chain = 0; chain < kChains; ++chain) {
      const float* values = agreement + i + 2 * kLanes * chain;
      add_pair(exponent_of<kHold>(vld1q_f32(values), squash),
               exponent_of<kHold>(vld1q_f32(values + kLanes), squash), chain, sums);
    }
  }
  double surplus = 0;
  for (; i < dim; i += kLanes) {
    const std::size_t left = std::min(dim - i, kLanes);
    float exponents[kLanes];
    vst1q_f32(exponents, exponent_of<kHold>(load_some(agreement + i, left), squash));
    // Lanes past the end, and the other half of the pair, have exponent 0 and so sigma 1/2.
    add_pair(load_some(exponents, left), vdupq_n_f32(0.0F), 0, sums);
    surplus += static_cast<double>(2 * kLanes - left);
  }
  return {sum_of(sums.sum) - surplus / 2,
          sum_of(sums.squares) - 2 * sum_of(sums.quotients) - surplus / 4};
}

SquashedSums sum_squashed(const float* agreement, std::size_t dim, const Squash& squash) {
  return squash.hold ? sum_squashed_as<true>(agreement, dim, squash)
                     : sum_squashed_as<false>(agreement, dim, squash);
}

struct MaskedChains {
  Chains product = {};
  Chains row_squares = {};
};

struct Thresholds {
  float32x4_t low;
  float32x4_t high;
};

// Returns the row's values where `mask` is set, and 0 elsewhere.
inline float32x4_t where(uint32x4_t mask, float32x4_t row) {
  return vreinterpretq_f32_u32(vandq_u32(vreinterpretq_u32_f32(row), mask));
}

// Adding the row once for each threshold that x exceeds gives 2 M row without a multiplication.
inline void add_masked(float32x4_t query, float32x4_t row, float32x4_t x,
                       const Thresholds& thresholds, std::size_t chain, MaskedChains& sums) {
  const float32x4_t masked = vaddq_f32(where(vcgtq_f32(x, thresholds.low), row),
                                       where(vcgtq_f32(x, thresholds.high), row));
  sums.product[chain] = vfmaq_f32(sums.product[chain], query, masked);
  sums.row_squares[chain] = vfmaq_f32(sums.row_squares[chain], masked, masked);
}

// The agreements were stored by the first sweep, so this one only compares.
MaskedSums sum_masked(const MaskRow& row, float low, float high) {
  const Thresholds thresholds{vdupq_n_f32(low), vdupq_n_f32(high)};
  MaskedChains sums;
  std::size_t i = 0;
  for (; i + kStep <= row.dim; i += kStep) {
#pragma GCC unroll 4
    for (std::size_t chain = 0; chain < kChains; ++chain) {
      const std::size_t at = i + kLanes * chain;
      add_masked(vld1q_f32(row.query + at), vld1q_f32(row.row + at), vld1q_f32(row.agreement + at),
                 thresholds, chain, sums);
    }
  }
  for (; i < row.dim; i += kLanes) {
    const std::size_t left = row.dim - i;
    add_masked(load_some(row.query + i, left), load_some(row.row + i, left),
               load_some(row.agreement + i, left), thresholds, 0, sums);
  }
  return {sum_of(sums.product), sum_of(sums.row_squares)};
}

}  // namespace

const MaskKernel kMaskNeon = {sum_products, sum_squashed, sum_masked};

}  // namespace fineprint::score

#endif
