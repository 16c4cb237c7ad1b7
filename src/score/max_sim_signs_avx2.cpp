// MaxSim by signs with AVX2: a table of 16 bytes is looked up for 32 rows at a time.
#if defined(__x86_64__)

#include <immintrin.h>

#include "score/max_sim_signs_kernels.h"

#define FINEPRINT_AVX2 __attribute__((target("avx2")))

namespace fineprint::score {
namespace {

// Returns rows 0 to 15 in order. `all` has the sums of even rows plus 256 times those of odd rows,
// and `odd` those of odd rows, each for one group of a pair in either half.
FINEPRINT_AVX2 inline __m256i in_order(__m256i all, __m256i odd) {
  const __m256i even = _mm256_sub_epi16(all, _mm256_slli_epi16(odd, 8));
  const __m128i evens =
      _mm_add_epi16(_mm256_castsi256_si128(even), _mm256_extracti128_si256(even, 1));
  const __m128i odds = _mm_add_epi16(_mm256_castsi256_si128(odd), _mm256_extracti128_si256(odd, 1));
  return _mm256_set_m128i(_mm_unpackhi_epi16(evens, odds), _mm_unpacklo_epi16(evens, odds));
}

// The bytes of a block are read once for kVectors vectors of the query.
template <std::size_t kVectors>
FINEPRINT_AVX2 void sum_tile(const std::uint8_t* block, const std::uint8_t* tables,
                             std::size_t pairs, std::uint16_t* sums) {
  const __m256i lower_bits = _mm256_set1_epi8(15);
  __m256i all[kVectors][2] = {}, odd[kVectors][2] = {};
  for (std::size_t pair = 0; pair < pairs; ++pair) {
    const __m256i codes =
        _mm256_loadu_si256(reinterpret_cast<const __m256i*>(block + pair * kPairBytes));
    const __m256i signs[2] = {_mm256_and_si256(codes, lower_bits),
                              _mm256_and_si256(_mm256_srli_epi16(codes, 4), lower_bits)};
#pragma GCC unroll 2
    for (std::size_t n = 0; n < kVectors; ++n) {
      const __m256i table = _mm256_loadu_si256(
          reinterpret_cast<const __m256i*>(tables + (n * pairs + pair) * kPairBytes));
#pragma GCC unroll 2
      for (std::size_t half = 0; half < 2; ++half) {
        const __m256i found = _mm256_shuffle_epi8(table, signs[half]);
        all[n][half] = _mm256_add_epi16(all[n][half], found);
        odd[n][half] = _mm256_add_epi16(odd[n][half], _mm256_srli_epi16(found, 8));
      }
    }
  }
  for (std::size_t n = 0; n < kVectors; ++n) {
    for (std::size_t half = 0; half < 2; ++half) {
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(sums + n * kSignRows + half * kSignRows / 2),
                          in_order(all[n][half], odd[n][half]));
    }
  }
}

void sum(const std::uint8_t* block, const std::uint8_t* tables, std::size_t pairs,
         std::size_t vectors, std::uint16_t* sums) {
  std::size_t n = 0;
  for (; n + 2 <= vectors; n += 2) {
    sum_tile<2>(block, tables + n * pairs * kPairBytes, pairs, sums + n * kSignRows);
  }
  if (n < vectors) sum_tile<1>(block, tables + n * pairs * kPairBytes, pairs, sums + n * kSignRows);
}

// Multiplies and adds in two steps, so that the results are those of the portable kernel.
FINEPRINT_AVX2 void raise(const std::uint16_t* sums, const float* factors, float step, float base,
                          float* largest) {
  constexpr std::size_t kLanes = 8;
  for (std::size_t r = 0; r < kSignRows; r += kLanes) {
    const __m128i words = _mm_loadu_si128(reinterpret_cast<const __m128i*>(sums + r));
    const __m256 numbers = _mm256_cvtepi32_ps(_mm256_cvtepu16_epi32(words));
    const __m256 scaled =
        _mm256_add_ps(_mm256_mul_ps(numbers, _mm256_set1_ps(step)), _mm256_set1_ps(base));
    const __m256 products = _mm256_mul_ps(_mm256_loadu_ps(factors + r), scaled);
    _mm256_storeu_ps(largest + r, _mm256_max_ps(products, _mm256_loadu_ps(largest + r)));
  }
}

}  // namespace

const SignKernel kSignsAvx2 = {sum, raise};

}  // namespace fineprint::score

#endif
