// The three sweeps of hybrid-mask scoring, with AVX2 and FMA.
#if defined(__x86_64__)

#include <immintrin.h>

#include "score/hybrid_mask_kernels.h"

#define FINEPRINT_AVX2 __attribute__((target("avx2,fma")))

namespace fineprint::score {
namespace {

constexpr std::size_t kLanes = 8;

// Adds the lanes in float64: rounding then comes only from the sums within each lane.
FINEPRINT_AVX2 inline double sum_of(__m256 lanes) {
  const __m256d wide = _mm256_add_pd(_mm256_cvtps_pd(_mm256_castps256_ps128(lanes)),
                                     _mm256_cvtps_pd(_mm256_extractf128_ps(lanes, 1)));
  const __m128d half = _mm_add_pd(_mm256_castpd256_pd128(wide), _mm256_extractf128_pd(wide, 1));
  return _mm_cvtsd_f64(_mm_add_sd(half, _mm_unpackhi_pd(half, half)));
}

FINEPRINT_AVX2 inline double both(const __m256 (&lanes)[2]) {
  return sum_of(_mm256_add_ps(lanes[0], lanes[1]));
}

// Returns all bits set in the first `left` lanes, or in every lane if there are fewer lanes.
FINEPRINT_AVX2 inline __m256i first_lanes(std::size_t left) {
  const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  return _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(left < kLanes ? left : kLanes)),
                            lane);
}

struct Bits {
  __m256 keep;
  __m256 flip;
};

FINEPRINT_AVX2 inline Bits bits_of(const Agreement& agreement) {
  return {_mm256_castsi256_ps(_mm256_set1_epi32(static_cast<int>(agreement.keep))),
          _mm256_castsi256_ps(_mm256_set1_epi32(static_cast<int>(agreement.flip)))};
}

FINEPRINT_AVX2 inline __m256 agreement_of(__m256 product, const Bits& bits) {
  return _mm256_xor_ps(_mm256_and_ps(product, bits.keep), bits.flip);
}

// Two chains for each sum: for speed, and because shorter chains round less.
struct ProductLanes {
  __m256 agreement[2] = {};
  __m256 product[2] = {};
  __m256 product_squares[2] = {};
  __m256 row_squares[2] = {};
};

// Adds to the sums of one chain. Returns the agreement.
FINEPRINT_AVX2 inline __m256 add_products(__m256 query, __m256 row, const Bits& bits, int chain,
                                          ProductLanes& lanes) {
  const __m256 c = _mm256_mul_ps(query, row);
  const __m256 x = agreement_of(c, bits);
  lanes.agreement[chain] = _mm256_add_ps(lanes.agreement[chain], x);
  lanes.product[chain] = _mm256_add_ps(lanes.product[chain], c);
  lanes.product_squares[chain] = _mm256_fmadd_ps(c, c, lanes.product_squares[chain]);
  lanes.row_squares[chain] = _mm256_fmadd_ps(row, row, lanes.row_squares[chain]);
  return x;
}

// Computes all four sums in one pass, and stores the agreements for the other sweeps.
FINEPRINT_AVX2 ProductSums sum_products(const MaskRow& row, const Agreement& agreement) {
  const Bits bits = bits_of(agreement);
  ProductLanes lanes;
  std::size_t i = 0;
  for (; i + 2 * kLanes <= row.dim; i += 2 * kLanes) {
    for (int chain = 0; chain < 2; ++chain) {
      const std::size_t at = i + kLanes * static_cast<std::size_t>(chain);
      const __m256 x = add_products(_mm256_loadu_ps(row.query + at), _mm256_loadu_ps(row.row + at),
                                    bits, chain, lanes);
      _mm256_storeu_ps(row.agreement + at, x);
    }
  }
  for (; i < row.dim; i += kLanes) {
    const __m256i mask = first_lanes(row.dim - i);
    // A lane past the end is zero, and so is its agreement.
    const __m256 x = add_products(_mm256_maskload_ps(row.query + i, mask),
                                  _mm256_maskload_ps(row.row + i, mask), bits, 0, lanes);
    _mm256_maskstore_ps(row.agreement + i, mask, x);
  }
  return {both(lanes.agreement), both(lanes.product), both(lanes.product_squares),
          both(lanes.row_squares)};
}

// 2^x = 2^(n / 8) 2^f, where n is the integer nearest to 8 x. n appears in the low bits of
// x + kRounder. After a shift, its upper part is the exponent. Its lower three bits are shifted
// into the mantissa, which the table corrects. On [-1/16, 1/16] the cubic is within 3e-8 of 2^f.
constexpr float kRounder = 1572864.0F;  // 1.5 * 2^20
constexpr float kLinear = 0.69314718F;
constexpr float kSquare = 0.24025880F;
constexpr float kCube = 0.05550411F;

struct PowerTable {
  __m256 bits;
  __m256 rounder;
  __m256 linear;
  __m256 square;
  __m256 cube;
  __m256 one;
};

FINEPRINT_AVX2 inline PowerTable power_table() {
  const __m256 powers = _mm256_setr_ps(1.0F, 1.0905077327F, 1.1892071150F, 1.2968395547F,
                                       1.4142135624F, 1.5422108254F, 1.6817928305F, 1.8340080864F);
  const __m256i index = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  return {_mm256_castsi256_ps(
              _mm256_sub_epi32(_mm256_castps_si256(powers), _mm256_slli_epi32(index, 20))),
          _mm256_set1_ps(kRounder),
          _mm256_set1_ps(kLinear),
          _mm256_set1_ps(kSquare),
          _mm256_set1_ps(kCube),
          _mm256_set1_ps(1.0F)};
}

// Returns 1 + 2^x for x in [-28, 28]; see above for the method.
FINEPRINT_AVX2 inline __m256 one_plus_power(__m256 x, const PowerTable& table) {
  const __m256 rounded = _mm256_add_ps(x, table.rounder);
  const __m256 f = _mm256_sub_ps(x, _mm256_sub_ps(rounded, table.rounder));
  const __m256i n = _mm256_castps_si256(rounded);
  const __m256i entry = _mm256_castps_si256(_mm256_permutevar8x32_ps(table.bits, n));
  const __m256 scale = _mm256_castsi256_ps(_mm256_add_epi32(entry, _mm256_slli_epi32(n, 20)));
  const __m256 upper = _mm256_fmadd_ps(f, table.cube, table.square);
  const __m256 power = _mm256_fmadd_ps(_mm256_fmadd_ps(upper, f, table.linear), f, table.one);
  return _mm256_fmadd_ps(scale, power, table.one);
}

struct SquashedLanes {
  __m256 sum;
  __m256 squares;
  __m256 quotients;
};

// With a = 1 + 2^x and b from another lane: 1/a + 1/b = (a + b) / ab, and the sum of the squares is
// the square of that minus 2 / ab. So one division serves two sigmas.
FINEPRINT_AVX2 inline void add_pair(__m256 x, __m256 y, const PowerTable& table,
                                    SquashedLanes& lanes) {
  const __m256 a = one_plus_power(x, table);
  const __m256 b = one_plus_power(y, table);
  const __m256 quotient = _mm256_div_ps(table.one, _mm256_mul_ps(a, b));
  const __m256 sum = _mm256_mul_ps(_mm256_add_ps(a, b), quotient);
  lanes.sum = _mm256_add_ps(lanes.sum, sum);
  lanes.squares = _mm256_fmadd_ps(sum, sum, lanes.squares);
  lanes.quotients = _mm256_add_ps(lanes.quotients, quotient);
}

struct Exponent {
  __m256 slope;
  __m256 offset;
  __m256 largest;
};

// Clamps only if kHold is set, because most rows do not need it.
template <bool kHold>
FINEPRINT_AVX2 inline __m256 exponent_of(__m256 agreement, const Exponent& exponent) {
  const __m256 value = _mm256_fmadd_ps(agreement, exponent.slope, exponent.offset);
  if constexpr (!kHold) return value;
  const __m256 least = _mm256_sub_ps(_mm256_setzero_ps(), exponent.largest);
  return _mm256_min_ps(_mm256_max_ps(value, least), exponent.largest);
}

template <bool kHold>
FINEPRINT_AVX2 SquashedSums sum_squashed_as(const float* agreement, std::size_t dim,
                                            const Squash& squash) {
  const Exponent exponent{_mm256_set1_ps(squash.slope), _mm256_set1_ps(squash.offset),
                          _mm256_set1_ps(kLargestExponent)};
  const PowerTable table = power_table();
  SquashedLanes lanes[2] = {};
  const std::uint8_t* ahead = squash.ahead;
  std::size_t i = 0;
  for (; i + 4 * kLanes <= dim; i += 4 * kLanes) {
    _mm_prefetch(reinterpret_cast<const char*>(ahead), _MM_HINT_T0);
    _mm_prefetch(reinterpret_cast<const char*>(ahead + squash.ahead_step / 2), _MM_HINT_T0);
    ahead += squash.ahead_step;
    for (std::size_t chain = 0; chain < 2; ++chain) {
      const float* values = agreement + i + 2 * kLanes * chain;
      add_pair(exponent_of<kHold>(_mm256_loadu_ps(values), exponent),
               exponent_of<kHold>(_mm256_loadu_ps(values + kLanes), exponent), table, lanes[chain]);
    }
  }
  double surplus = 0;
  for (; i < dim; i += kLanes) {
    const __m256i mask = first_lanes(dim - i);
    const __m256 x = exponent_of<kHold>(_mm256_maskload_ps(agreement + i, mask), exponent);
    // Lanes past the end, and the other half of the pair, have exponent 0 and so sigma 1/2.
    add_pair(_mm256_and_ps(x, _mm256_castsi256_ps(mask)), _mm256_setzero_ps(), table, lanes[0]);
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
  __m256 product;
  __m256 row_squares;
};

struct Thresholds {
  __m256 low;
  __m256 high;
};

// Adding the row once for each threshold that x exceeds gives 2 M row without a multiplication.
FINEPRINT_AVX2 inline void add_masked(__m256 query, __m256 row, __m256 x,
                                      const Thresholds& thresholds, MaskedLanes& lanes) {
  const __m256 low = _mm256_and_ps(row, _mm256_cmp_ps(x, thresholds.low, _CMP_GT_OQ));
  const __m256 high = _mm256_and_ps(row, _mm256_cmp_ps(x, thresholds.high, _CMP_GT_OQ));
  const __m256 masked = _mm256_add_ps(low, high);
  lanes.product = _mm256_fmadd_ps(query, masked, lanes.product);
  lanes.row_squares = _mm256_fmadd_ps(masked, masked, lanes.row_squares);
}

// The agreements were stored by the first sweep, so this one only compares.
FINEPRINT_AVX2 MaskedSums sum_masked(const MaskRow& row, float low, float high) {
  const Thresholds thresholds{_mm256_set1_ps(low), _mm256_set1_ps(high)};
  MaskedLanes lanes[2] = {};
  std::size_t i = 0;
  for (; i + 2 * kLanes <= row.dim; i += 2 * kLanes) {
    for (std::size_t chain = 0; chain < 2; ++chain) {
      const std::size_t at = i + kLanes * chain;
      add_masked(_mm256_loadu_ps(row.query + at), _mm256_loadu_ps(row.row + at),
                 _mm256_loadu_ps(row.agreement + at), thresholds, lanes[chain]);
    }
  }
  for (; i < row.dim; i += kLanes) {
    const __m256i mask = first_lanes(row.dim - i);
    add_masked(_mm256_maskload_ps(row.query + i, mask), _mm256_maskload_ps(row.row + i, mask),
               _mm256_maskload_ps(row.agreement + i, mask), thresholds, lanes[0]);
  }
  return {sum_of(lanes[0].product) + sum_of(lanes[1].product),
          sum_of(lanes[0].row_squares) + sum_of(lanes[1].row_squares)};
}

}  // namespace

const MaskKernel kMaskAvx2 = {sum_products, sum_squashed, sum_masked};

}  // namespace fineprint::score

#endif
