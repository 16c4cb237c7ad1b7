// The three sweeps of hybrid-mask scoring, with AVX-512.
#if defined(__x86_64__)

#if !defined(__clang__)
// gcc 12 warns of variables in its own header, which it leaves undefined on purpose.
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif
#include <immintrin.h>

#include "score/hybrid_mask_kernels.h"

#define FINEPRINT_AVX512 __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl")))

namespace fineprint::score {
namespace {

constexpr std::size_t kLanes = 16;

// Adds the lanes in float64: rounding then comes only from the sums within each lane.
FINEPRINT_AVX512 inline double sum_of(__m512 lanes) {
  const __m512d low = _mm512_cvtps_pd(_mm512_castps512_ps256(lanes));
  const __m512d high = _mm512_cvtps_pd(_mm512_extractf32x8_ps(lanes, 1));
  return _mm512_reduce_add_pd(_mm512_add_pd(low, high));
}

// Returns a mask of the first `left` lanes, or of all if there are fewer lanes.
inline __mmask16 first_lanes(std::size_t left) {
  return static_cast<__mmask16>(left >= kLanes ? 0xFFFFu : (1u << left) - 1u);
}

struct Bits {
  __m512i keep;
  __m512i flip;
};

FINEPRINT_AVX512 inline Bits bits_of(const Agreement& agreement) {
  return {_mm512_set1_epi32(static_cast<int>(agreement.keep)),
          _mm512_set1_epi32(static_cast<int>(agreement.flip))};
}

FINEPRINT_AVX512 inline __m512 agreement_of(__m512 product, const Bits& bits) {
  constexpr int kFlipXorAnd = 0x78;  // flip ^ (keep & product)
  return _mm512_castsi512_ps(
      _mm512_ternarylogic_epi32(bits.flip, bits.keep, _mm512_castps_si512(product), kFlipXorAnd));
}

// Independent sums, because a multiply-add waits four cycles for the one before it, and eight could
// begin in that time. Shorter chains also round less.
constexpr std::size_t kChains = 4;
using Chains = __m512[kChains];

FINEPRINT_AVX512 inline double total_of(const Chains& lanes) {
  return sum_of(
      _mm512_add_ps(_mm512_add_ps(lanes[0], lanes[1]), _mm512_add_ps(lanes[2], lanes[3])));
}

struct ProductLanes {
  Chains agreement = {};
  Chains product = {};
  Chains product_squares = {};
  Chains row_squares = {};
};

// Adds to the sums of one chain. Returns the agreement.
FINEPRINT_AVX512 inline __m512 add_products(__m512 query, __m512 row, const Bits& bits,
                                            std::size_t chain, ProductLanes& lanes) {
  const __m512 c = _mm512_mul_ps(query, row);
  const __m512 x = agreement_of(c, bits);
  lanes.agreement[chain] = _mm512_add_ps(lanes.agreement[chain], x);
  lanes.product[chain] = _mm512_add_ps(lanes.product[chain], c);
  lanes.product_squares[chain] = _mm512_fmadd_ps(c, c, lanes.product_squares[chain]);
  lanes.row_squares[chain] = _mm512_fmadd_ps(row, row, lanes.row_squares[chain]);
  return x;
}

FINEPRINT_AVX512 ProductSums sum_products(const MaskRow& row, const Agreement& agreement) {
  const Bits bits = bits_of(agreement);
  const MaskRow at = row;  // a copy, so that stores cannot change it and force reloads
  ProductLanes lanes;
  std::size_t i = 0;
  for (; i + kChains * kLanes <= at.dim; i += kChains * kLanes) {
#pragma GCC unroll 4
    for (std::size_t chain = 0; chain < kChains; ++chain) {
      const std::size_t j = i + kLanes * chain;
      const __m512 x = add_products(_mm512_loadu_ps(at.query + j), _mm512_loadu_ps(at.row + j),
                                    bits, chain, lanes);
      _mm512_storeu_ps(at.agreement + j, x);
    }
  }
  for (; i < at.dim; i += kLanes) {
    const __mmask16 mask = first_lanes(at.dim - i);
    // A lane past the end is zero, and so is its agreement.
    const __m512 x = add_products(_mm512_maskz_loadu_ps(mask, at.query + i),
                                  _mm512_maskz_loadu_ps(mask, at.row + i), bits, 0, lanes);
    _mm512_mask_storeu_ps(at.agreement + i, mask, x);
  }
  return {total_of(lanes.agreement), total_of(lanes.product), total_of(lanes.product_squares),
          total_of(lanes.row_squares)};
}

// 2^x = 2^floor(x) 2^(n / 16) 2^f, where n counts the sixteenths of x above its floor, and f is the
// rest. The sum x + kRounder, rounded down, has n in its lowest bits, where the look-up reads it.
// On [0, 1/16) the parabola times 1.00000042 is within 4.3e-7 of 2^f, relatively. Errors of both
// signs nearly cancel in a mean. The table is already multiplied by 1.00000042.
constexpr float kRounder = 786432.0F;  // 1.5 * 2^19
constexpr float kLinear = 0.69302405F;
constexpr float kSquare = 0.24547708F;

struct PowerTable {
  __m512 powers;
  __m512 rounder;
  __m512 linear;
  __m512 square;
  __m512 one;
};

FINEPRINT_AVX512 inline PowerTable power_table() {
  constexpr float kPowers[kLanes] = {1.0000004223F, 1.0442742234F, 1.0905081932F, 1.1387891157F,
                                     1.1892076172F, 1.2418583365F, 1.2968401023F, 1.3542561188F,
                                     1.4142141596F, 1.4768267696F, 1.5422114767F, 1.6104910121F,
                                     1.6817935407F, 1.7562529020F, 1.8340088609F, 1.9152073702F};
  return {_mm512_loadu_ps(kPowers), _mm512_set1_ps(kRounder), _mm512_set1_ps(kLinear),
          _mm512_set1_ps(kSquare), _mm512_set1_ps(1.0F)};
}

// The number of vectors that take each step in turn, because a step waits several cycles for the
// one before it.
constexpr std::size_t kByTurns = 4;

// Replaces each x by 1 + 2^x.
template <std::size_t kCount>
FINEPRINT_AVX512 inline void add_one_to_power(const PowerTable& table, __m512 (&x)[kCount]) {
  constexpr int kAboveSixteenths = 0x49;  // removes 4 bits after the point, rounded down
  __m512 scale[kCount];
  __m512 f[kCount];
#pragma GCC unroll 4
  for (std::size_t n = 0; n < kCount; ++n) {
    scale[n] = _mm512_add_round_ps(x[n], table.rounder, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
  }
#pragma GCC unroll 4
  for (std::size_t n = 0; n < kCount; ++n) f[n] = _mm512_reduce_ps(x[n], kAboveSixteenths);
#pragma GCC unroll 4
  for (std::size_t n = 0; n < kCount; ++n) {
    scale[n] = _mm512_permutexvar_ps(_mm512_castps_si512(scale[n]), table.powers);
  }
#pragma GCC unroll 4
  for (std::size_t n = 0; n < kCount; ++n) scale[n] = _mm512_scalef_ps(scale[n], x[n]);
#pragma GCC unroll 4
  for (std::size_t n = 0; n < kCount; ++n) x[n] = _mm512_fmadd_ps(f[n], table.square, table.linear);
#pragma GCC unroll 4
  for (std::size_t n = 0; n < kCount; ++n) x[n] = _mm512_fmadd_ps(x[n], f[n], table.one);
#pragma GCC unroll 4
  for (std::size_t n = 0; n < kCount; ++n) x[n] = _mm512_fmadd_ps(scale[n], x[n], table.one);
}

struct SquashedLanes {
  __m512 sum;
  __m512 squares;
  __m512 quotients;
};

// Adds the sigmas of the exponents x. With a = 1 + 2^x and b from another lane:
// 1/a + 1/b = (a + b) / ab, and the sum of the squares is the square of that minus 2 / ab. So one
// division serves two sigmas.
template <std::size_t kCount>
FINEPRINT_AVX512 inline void add_sigmas(__m512 (&x)[kCount], const PowerTable& table,
                                        SquashedLanes (&lanes)[kCount / 2]) {
  add_one_to_power(table, x);
#pragma GCC unroll 2
  for (std::size_t pair = 0; pair < kCount / 2; ++pair) {
    const __m512 a = x[2 * pair];
    const __m512 b = x[2 * pair + 1];
    const __m512 quotient = _mm512_div_ps(table.one, _mm512_mul_ps(a, b));
    const __m512 sum = _mm512_mul_ps(_mm512_add_ps(a, b), quotient);
    lanes[pair].sum = _mm512_add_ps(lanes[pair].sum, sum);
    lanes[pair].squares = _mm512_fmadd_ps(sum, sum, lanes[pair].squares);
    lanes[pair].quotients = _mm512_add_ps(lanes[pair].quotients, quotient);
  }
}

struct Exponent {
  __m512 slope;
  __m512 offset;
  __m512 largest;
};

// Clamps only if kHold is set, because most rows do not need it.
template <bool kHold>
FINEPRINT_AVX512 inline __m512 exponent_of(__m512 agreement, const Exponent& exponent) {
  const __m512 value = _mm512_fmadd_ps(agreement, exponent.slope, exponent.offset);
  if constexpr (!kHold) return value;
  const __m512 least = _mm512_sub_ps(_mm512_setzero_ps(), exponent.largest);
  return _mm512_min_ps(_mm512_max_ps(value, least), exponent.largest);
}

template <bool kHold>
FINEPRINT_AVX512 SquashedSums sum_squashed_as(const float* agreement, std::size_t dim,
                                              const Squash& squash) {
  const Exponent exponent{_mm512_set1_ps(squash.slope), _mm512_set1_ps(squash.offset),
                          _mm512_set1_ps(kLargestExponent)};
  const PowerTable table = power_table();
  SquashedLanes lanes[kByTurns / 2] = {};
  const std::uint8_t* ahead = squash.ahead;
  std::size_t i = 0;
  for (; i + kByTurns * kLanes <= dim; i += kByTurns * kLanes) {
    __m512 x[kByTurns];
#pragma GCC unroll 4
    for (std::size_t n = 0; n < kByTurns; ++n) {
      _mm_prefetch(reinterpret_cast<const char*>(ahead), _MM_HINT_T0);
      ahead += squash.ahead_step / 2;
      x[n] = exponent_of<kHold>(_mm512_loadu_ps(agreement + i + n * kLanes), exponent);
    }
    add_sigmas(x, table, lanes);
  }
  double surplus = 0;
  for (; i < dim; i += kLanes) {
    const __mmask16 mask = first_lanes(dim - i);
    const __m512 value = exponent_of<kHold>(_mm512_maskz_loadu_ps(mask, agreement + i), exponent);
    // Lanes past the end, and the other half of the pair, have exponent 0 and so sigma 1/2.
    __m512 x[2] = {_mm512_maskz_mov_ps(mask, value), _mm512_setzero_ps()};
    SquashedLanes rest[1] = {lanes[0]};
    add_sigmas(x, table, rest);
    lanes[0] = rest[0];
    surplus += static_cast<double>(2 * kLanes - (dim - i < kLanes ? dim - i : kLanes));
  }
  const double sum = sum_of(lanes[0].sum) + sum_of(lanes[1].sum);
  const double squares = sum_of(lanes[0].squares) + sum_of(lanes[1].squares);
  const double quotients = sum_of(lanes[0].quotients) + sum_of(lanes[1].quotients);
  return {sum - surplus / 2, squares - 2 * quotients - surplus / 4};
}

SquashedSums sum_squashed(const float* agreement, std::size_t dim, const Squash& squash) {
  return squash.hold ? sum_squashed_as<true>(agreement, dim, squash)
                     : sum_squashed_as<false>(agreement, dim, squash);
}

struct MaskedLanes {
  Chains product = {};
  Chains row_squares = {};
};

struct Thresholds {
  __m512 low;
  __m512 high;
};

FINEPRINT_AVX512 inline void add_masked(__m512 query, __m512 row, __m512 x,
                                        const Thresholds& thresholds, std::size_t chain,
                                        MaskedLanes& lanes) {
  const __mmask16 low = _mm512_cmp_ps_mask(x, thresholds.low, _CMP_GT_OQ);
  const __mmask16 high = _mm512_cmp_ps_mask(x, thresholds.high, _CMP_GT_OQ);
  // A value above the high threshold is also above the low one, so `low` alone masks the sums.
  const __m512 masked = _mm512_mask_add_ps(row, high, row, row);
  lanes.product[chain] = _mm512_mask3_fmadd_ps(query, masked, lanes.product[chain], low);
  lanes.row_squares[chain] = _mm512_mask3_fmadd_ps(masked, masked, lanes.row_squares[chain], low);
}

// The agreements were stored by the first sweep, so this one only compares.
FINEPRINT_AVX512 MaskedSums sum_masked(const MaskRow& row, float low, float high) {
  const Thresholds thresholds{_mm512_set1_ps(low), _mm512_set1_ps(high)};
  MaskedLanes lanes;
  std::size_t i = 0;
  for (; i + kChains * kLanes <= row.dim; i += kChains * kLanes) {
#pragma GCC unroll 4
    for (std::size_t chain = 0; chain < kChains; ++chain) {
      const std::size_t at = i + kLanes * chain;
      add_masked(_mm512_loadu_ps(row.query + at), _mm512_loadu_ps(row.row + at),
                 _mm512_loadu_ps(row.agreement + at), thresholds, chain, lanes);
    }
  }
  for (; i < row.dim; i += kLanes) {
    const __mmask16 mask = first_lanes(row.dim - i);
    add_masked(_mm512_maskz_loadu_ps(mask, row.query + i), _mm512_maskz_loadu_ps(mask, row.row + i),
               _mm512_maskz_loadu_ps(mask, row.agreement + i), thresholds, 0, lanes);
  }
  return {total_of(lanes.product), total_of(lanes.row_squares)};
}

}  // namespace

const MaskKernel kMaskAvx512 = {sum_products, sum_squashed, sum_masked};

}  // namespace fineprint::score

#endif
