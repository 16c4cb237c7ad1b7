// The steps of a text encoder in AVX2.
#if defined(__x86_64__)

#include <cstdint>
#include <cstring>

#include <immintrin.h>

#include "nets/packed/panels.h"

#define FINEPRINT_TARGET __attribute__((target("avx2,fma")))

namespace fineprint::nets {
namespace {

struct Set {
  using Lanes = __m256;
  static constexpr std::int64_t kLanes = 8;
  // 12 sums; the other four of the 16 registers hold a panel's columns and values of x.
  static constexpr int kTileRows = 6;

  FINEPRINT_TARGET static Lanes load(const float* at) { return _mm256_loadu_ps(at); }
  FINEPRINT_TARGET static void store(float* at, Lanes lanes) { _mm256_storeu_ps(at, lanes); }
  FINEPRINT_TARGET static Lanes all(float value) { return _mm256_set1_ps(value); }
  FINEPRINT_TARGET static Lanes add(Lanes a, Lanes b) { return _mm256_add_ps(a, b); }
  FINEPRINT_TARGET static Lanes subtract(Lanes a, Lanes b) { return _mm256_sub_ps(a, b); }
  FINEPRINT_TARGET static Lanes times(Lanes a, Lanes b) { return _mm256_mul_ps(a, b); }
  FINEPRINT_TARGET static Lanes divide(Lanes a, Lanes b) { return _mm256_div_ps(a, b); }
  FINEPRINT_TARGET static Lanes add_product(Lanes a, Lanes b, Lanes sum) {
    return _mm256_fmadd_ps(a, b, sum);
  }
  FINEPRINT_TARGET static Lanes least(Lanes a, Lanes b) { return _mm256_min_ps(a, b); }
  FINEPRINT_TARGET static Lanes largest(Lanes a, Lanes b) { return _mm256_max_ps(a, b); }
  FINEPRINT_TARGET static Lanes round(Lanes a) {
    return _mm256_round_ps(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
  }
  FINEPRINT_TARGET static Lanes times_power_of_2(Lanes a, Lanes power) {
    const __m256i exponent = _mm256_add_epi32(_mm256_cvtps_epi32(power), _mm256_set1_epi32(127));
    return _mm256_mul_ps(a, _mm256_castsi256_ps(_mm256_slli_epi32(exponent, 23)));
  }
  FINEPRINT_TARGET static float sum(Lanes lanes) {
    __m128 sums = _mm_add_ps(_mm256_castps256_ps128(lanes), _mm256_extractf128_ps(lanes, 1));
    sums = _mm_add_ps(sums, _mm_movehl_ps(sums, sums));
    return _mm_cvtss_f32(_mm_add_ss(sums, _mm_movehdup_ps(sums)));
  }
  FINEPRINT_TARGET static float least_of(Lanes lanes) {
    __m128 four = _mm_min_ps(_mm256_castps256_ps128(lanes), _mm256_extractf128_ps(lanes, 1));
    four = _mm_min_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_min_ss(four, _mm_movehdup_ps(four)));
  }
  FINEPRINT_TARGET static float largest_of(Lanes lanes) {
    __m128 four = _mm_max_ps(_mm256_castps256_ps128(lanes), _mm256_extractf128_ps(lanes, 1));
    four = _mm_max_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_max_ss(four, _mm_movehdup_ps(four)));
  }
  FINEPRINT_TARGET static Lanes chosen(const float* from, const std::uint8_t* which) {
    const __m128i bytes = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(which));
    return _mm256_i32gather_ps(from, _mm256_cvtepu8_epi32(bytes), sizeof(float));
  }
  FINEPRINT_TARGET static void store_codes(std::int16_t* at, Lanes codes) {
    const __m256i wide = _mm256_cvtps_epi32(codes);
    _mm_storeu_si128(
        reinterpret_cast<__m128i*>(at),
        _mm_packus_epi32(_mm256_castsi256_si128(wide), _mm256_extracti128_si256(wide, 1)));
  }

  FINEPRINT_TARGET static Lanes widened(const std::int32_t* at) {
    return _mm256_cvtepi32_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(at)));
  }

  // Codes are widened to 16 bits before they are multiplied, because AVX2's product of bytes
  // saturates, which would lose sums. Products of 16 bits need as many instructions a value as
  // products of bytes whose sums are widened.
  using Code = std::int16_t;
  using Weight = std::int16_t;

  // 12 sums, as for float32.
  static constexpr int kCodeRows = 6;
  static constexpr std::int64_t kCodeColumns = 16;

  // Widens 16 columns of a panel, and lays pairs of their values side by side:
  // [2 quads, kCodeColumns, 2].
  FINEPRINT_TARGET static const Weight* columns_of(const std::int8_t* panel, std::int64_t quads,
                                                   Weight* room) {
    Weight* to = room;
    for (std::int64_t q = 0; q < quads; ++q, panel += kPanel * kCodesAtATime) {
      for (std::int64_t half = 0; half < 2; ++half) {
        const __m256 four = wide_codes(panel + 32 * half);       // four columns of four values
        const __m256 next = wide_codes(panel + 32 * half + 16);  // the next four columns
        store_pairs(to + 16 * half, _mm256_shuffle_ps(four, next, 0x88));
        store_pairs(to + 32 + 16 * half, _mm256_shuffle_ps(four, next, 0xDD));
      }
      to += kCodeColumns * kCodesAtATime;
    }
    return room;
  }

  template <int kRows>
  FINEPRINT_TARGET static void add_codes(const Code* x, std::int64_t step, const Weight* columns,
                                         std::int64_t quads, std::int32_t* sums) {
    __m256i all[kRows][2];
#pragma GCC unroll 6
    for (int r = 0; r < kRows; ++r) all[r][0] = all[r][1] = _mm256_setzero_si256();
    for (const Code* end = x + quads * kCodesAtATime; x != end;
         x += 2, columns += 2 * kCodeColumns) {
      const __m256i low = load_pairs(columns), high = load_pairs(columns + kCodeColumns);
#pragma GCC unroll 6
      for (int r = 0; r < kRows; ++r) {
        std::int32_t two = 0;
        std::memcpy(&two, x + r * step, sizeof two);
        const __m256i values = _mm256_set1_epi32(two);
        all[r][0] = _mm256_add_epi32(all[r][0], _mm256_madd_epi16(values, low));
        all[r][1] = _mm256_add_epi32(all[r][1], _mm256_madd_epi16(values, high));
      }
    }
#pragma GCC unroll 6
    for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 2
      for (int half = 0; half < 2; ++half) {
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(sums + r * kCodeColumns + 8 * half),
                            all[r][half]);
      }
    }
  }

 private:
  FINEPRINT_TARGET static __m256i load_pairs(const Weight* at) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at));
  }
  FINEPRINT_TARGET static __m256 wide_codes(const std::int8_t* at) {
    return _mm256_castsi256_ps(
        _mm256_cvtepi8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(at))));
  }
  // A shuffle leaves the columns 0, 1, 4, 5, 2, 3, 6, 7.
  FINEPRINT_TARGET static void store_pairs(Weight* at, __m256 pairs) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(at),
                        _mm256_permute4x64_epi64(_mm256_castps_si256(pairs), 0xD8));
  }
};

}  // namespace
}  // namespace fineprint::nets

#include "nets/packed/codes.h"
#include "nets/packed/rows.h"

namespace fineprint::nets {
const RowsKernel kRowsAvx2 = {multiply_all, softmax, add_by_kind, norm};
const CodesKernel kCodesAvx2 = kCodesOfSet;
}  // namespace fineprint::nets

#endif
