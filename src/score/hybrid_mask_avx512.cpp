// The sweeps of hybrid-mask scoring with AVX-512.
#if defined(__x86_64__)

#if !defined(__clang__)
// gcc 12 means variables of its own header, which it leaves undefined on purpose.
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif
#include <immintrin.h>

#include "score/hybrid_mask_kernels.h"

#define FINEPRINT_AVX512 __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl")))

namespace fineprint::score {
namespace {

constexpr std::size_t kLanes = 16;

FINEPRINT_AVX512 inline double sum_of(__m512 lanes) {
  const __m512d low = _mm512_cvtps_pd(_mm512_castps512_ps256(lanes));
  const __m512d high = _mm512_cvtps_pd(_mm512_extractf32x8_ps(lanes, 1));
  return _mm512_reduce_add_pd(_mm512_add_pd(low, high));
}

// The first `left` lanes; all when there are that many.
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

// Two chains each: the second is for accuracy as much as for speed.
struct ProductLanes {
  __m512 agreement[2] = {};
  __m512 product[2] = {};
  __m512 product_squares[2] = {};
  __m512 row_squares[2] = {};
};

// Returns the agreement.
FINEPRINT_AVX512 inline __m512 add_products(__m512 query, __m512 row, const Bits& bits, int chain,
                                            ProductLanes& lanes) {
  const __m512 c = _mm512_mul_ps(query, row);
  const __m512 x = agreement_of(c, bits);
  lanes.agreement[chain] = _mm512_add_ps(lanes.agreement[chain], x);
  lanes.product[chain] = _mm512_add_ps(lanes.product[chain], c);
  lanes.product_squares[chain] = _mm512_fmadd_ps(c, c, lanes.product_squares[chain]);
  lanes.row_squares[chain] = _mm512_fmadd_ps(row, row, lanes.row_squares[chain]);
  return x;
}

FINEPRINT_AVX512 inline double both(const __m512 (&lanes)[2]) {
  return sum_of(_mm512_add_ps(lanes[0], lanes[1]));
}

FINEPRINT_AVX512 ProductSums sum_products(const MaskRow& row, const Agreement& agreement) {
  const Bits bits = bits_of(agreement);
  ProductLanes lanes;
  std::size_t i = 0;
  for (; i + 2 * kLanes <= row.dim; i += 2 * kLanes) {
    for (int chain = 0; chain < 2; ++chain) {
      const std::size_t at = i + kLanes * static_cast<std::size_t>(chain);
      const __m512 x = add_products(_mm512_loadu_ps(row.query + at), _mm512_loadu_ps(row.row + at),
                                    bits, chain, lanes);
      _mm512_storeu_ps(row.agreement + at, x);
    }
  }
  for (; i < row.dim; i += kLanes) {
    const __mmask16 mask = first_lanes(row.dim - i);
    // A lane past the end is a zero, whose agreement is one too.
    const __m512 x = add_products(_mm512_maskz_loadu_ps(mask, row.query + i),
                                  _mm512_maskz_loadu_ps(mask, row.row + i), bits, 0, lanes);
    _mm512_mask_storeu_ps(row.agreement + i, mask, x);
  }
  return {both(lanes.agreement), both(lanes.product), both(lanes.product_squares),
          both(lanes.row_squares)};
}

// 2^x = 2^floor(x) 2^(n / 16) 2^f, n the sixteenths of x above its floor, f what is above them. The
// sum x + kRounder, rounded down, has n in its lowest bits, where the look-up finds it. On [0,
// 1/16) the parabola times 1.00000042 is within 4.3e-7 of 2^f, relatively, and errors of both signs
// leave next to nothing in a mean. The table is multiplied by 1.00000042 beforehand.
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

FINEPRINT_AVX512 inline __m512 one_plus_power(__m512 x, const PowerTable& table) {
  constexpr int kAboveSixteenths = 0x49;  // 4 bits behind the point are taken off, rounded down
  const __m512 sixteenths =
      _mm512_add_round_ps(x, table.rounder, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
  const __m512 f = _mm512_reduce_ps(x, kAboveSixteenths);
  const __m512 entry = _mm512_permutexvar_ps(_mm512_castps_si512(sixteenths), table.powers);
  const __m512 scale = _mm512_scalef_ps(entry, x);
  const __m512 power =
      _mm512_fmadd_ps(_mm512_fmadd_ps(f, table.square, table.linear), f, table.one);
  return _mm512_fmadd_ps(scale, power, table.one);
}

struct SquashedLanes {
  __m512 sum;
  __m512 squares;
  __m512 quotients;
};

// With a = 1 + 2^x and b of another lane: 1/a + 1/b = (a + b) / ab, and the sum of the squares is
// that squared less 2 / ab. One division serves two sigmas.
FINEPRINT_AVX512 inline void add_pair(__m512 x, __m512 y, const PowerTable& table,
                                      SquashedLanes& lanes) {
  const __m512 a = one_plus_power(x, table);
  const __m512 b = one_plus_power(y, table);
  const __m512 quotient = _mm512_div_ps(table.one, _mm512_mul_ps(a, b));
  const __m512 sum = _mm512_mul_ps(_mm512_add_ps(a, b), quotient);
  lanes.sum = _mm512_add_ps(lanes.sum, sum);
  lanes.squares = _mm512_fmadd_ps(sum, sum, lanes.squares);
  lanes.quotients = _mm512_add_ps(lanes.quotients, quotient);
}

struct Exponent {
  __m512 slope;
  __m512 offset;
  __m512 largest;
};

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
  SquashedLanes lanes[2] = {};
  const std::uint8_t* ahead = squash.ahead;
  std::size_t i = 0;
  for (; i + 4 * kLanes <= dim; i += 4 * kLanes) {
    for (std::size_t chain = 0; chain < 2; ++chain) {
      _mm_prefetch(reinterpret_cast<const char*>(ahead), _MM_HINT_T0);
      _mm_prefetch(reinterpret_cast<const char*>(ahead + squash.ahead_step / 2), _MM_HINT_T0);
      ahead += squash.ahead_step;
      const float* values = agreement + i + 2 * kLanes * chain;
      add_pair(exponent_of<kHold>(_mm512_loadu_ps(values), exponent),
               exponent_of<kHold>(_mm512_loadu_ps(values + kLanes), exponent), table, lanes[chain]);
    }
  }
  double surplus = 0;
  for (; i < dim; i += kLanes) {
    const __mmask16 mask = first_lanes(dim - i);
    const __m512 x = exponent_of<kHold>(_mm512_maskz_loadu_ps(mask, agreement + i), exponent);
    // Lanes past the end, and the pair's other half, have exponent 0 and so sigma 1/2.
    add_pair(_mm512_maskz_mov_ps(mask, x), _mm512_setzero_ps(), table, lanes[0]);
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
  __m512 product;
  __m512 row_squares;
};

struct Thresholds {
  __m512 low;
  __m512 high;
};

FINEPRINT_AVX512 inline void add_masked(__m512 query, __m512 row, __m512 x,
                                        const Thresholds& thresholds, MaskedLanes& lanes) {
  const __mmask16 low = _mm512_cmp_ps_mask(x, thresholds.low, _CMP_GT_OQ);
  const __mmask16 high = _mm512_cmp_ps_mask(x, thresholds.high, _CMP_GT_OQ);
  // What is above the high threshold is above the low one.
  const __m512 masked = _mm512_mask_add_ps(row, high, row, row);
  lanes.product = _mm512_mask3_fmadd_ps(query, masked, lanes.product, low);
  lanes.row_squares = _mm512_mask3_fmadd_ps(masked, masked, lanes.row_squares, low);
}

FINEPRINT_AVX512 MaskedSums sum_masked(const MaskRow& row, float low, float high) {
  const Thresholds thresholds{_mm512_set1_ps(low), _mm512_set1_ps(high)};
  MaskedLanes lanes[2] = {};
  std::size_t i = 0;
  for (; i + 2 * kLanes <= row.dim; i += 2 * kLanes) {
    for (std::size_t chain = 0; chain < 2; ++chain) {
      const std::size_t at = i + kLanes * chain;
      add_masked(_mm512_loadu_ps(row.query + at), _mm512_loadu_ps(row.row + at),
                 _mm512_loadu_ps(row.agreement + at), thresholds, lanes[chain]);
    }
  }
  for (; i < row.dim; i += kLanes) {
    const __mmask16 mask = first_lanes(row.dim - i);
    add_masked(_mm512_maskz_loadu_ps(mask, row.query + i), _mm512_maskz_loadu_ps(mask, row.row + i),
               _mm512_maskz_loadu_ps(mask, row.agreement + i), thresholds, lanes[0]);
  }
  return {sum_of(lanes[0].product) + sum_of(lanes[1].product),
          sum_of(lanes[0].row_squares) + sum_of(lanes[1].row_squares)};
}

}  // namespace

const MaskKernel kMaskAvx512 = {sum_products, sum_squashed, sum_masked};

}  // namespace fineprint::score

#endif
