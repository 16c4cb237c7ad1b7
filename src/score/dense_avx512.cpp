// Dot products with AVX-512.
#if defined(__x86_64__)

#include <immintrin.h>

#include "score/dense_kernels.h"

#define FINEPRINT_AVX512 __attribute__((target("avx512f")))

namespace fineprint::score {
namespace {

constexpr std::size_t kLanes = 16;

FINEPRINT_AVX512 float sum_of(__m512 lanes) {
  alignas(64) float values[kLanes];
  _mm512_store_ps(values, lanes);
  float total = 0;
  for (const float value : values) total += value;
  return total;
}

FINEPRINT_AVX512 float dot(const float* a, const float* b, std::size_t dim) {
  __m512 s0 = _mm512_setzero_ps();
  __m512 s1 = s0;
  __m512 s2 = s0;
  __m512 s3 = s0;
  std::size_t i = 0;
  for (; i + 4 * kLanes <= dim; i += 4 * kLanes) {
    s0 = _mm512_fmadd_ps(_mm512_loadu_ps(a + i), _mm512_loadu_ps(b + i), s0);
    s1 = _mm512_fmadd_ps(_mm512_loadu_ps(a + i + 16), _mm512_loadu_ps(b + i + 16), s1);
    s2 = _mm512_fmadd_ps(_mm512_loadu_ps(a + i + 32), _mm512_loadu_ps(b + i + 32), s2);
    s3 = _mm512_fmadd_ps(_mm512_loadu_ps(a + i + 48), _mm512_loadu_ps(b + i + 48), s3);
  }
  for (; i < dim; i += kLanes) {
    const std::size_t left = dim - i;
    // Lanes past the end are neither read nor counted.
    const auto mask = static_cast<__mmask16>(left >= kLanes ? 0xFFFFu : (1u << left) - 1u);
    s0 =
        _mm512_fmadd_ps(_mm512_maskz_loadu_ps(mask, a + i), _mm512_maskz_loadu_ps(mask, b + i), s0);
  }
  return sum_of(_mm512_add_ps(_mm512_add_ps(s0, s1), _mm512_add_ps(s2, s3)));
}

}  // namespace

FINEPRINT_AVX512 void dot_rows_avx512(const float* query, const float* rows, std::size_t count,
                                      std::size_t dim, float* scores) {
  for (std::size_t r = 0; r < count; ++r) scores[r] = dot(query, rows + r * dim, dim);
}

}  // namespace fineprint::score

#endif
