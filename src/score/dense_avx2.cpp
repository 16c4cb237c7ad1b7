// Dot products with AVX2 and FMA.
#if defined(__x86_64__)

#include <immintrin.h>

#include "score/dense_kernels.h"

#define FINEPRINT_AVX2 __attribute__((target("avx2,fma")))

namespace fineprint::score {
namespace {

constexpr std::size_t kLanes = 8;

FINEPRINT_AVX2 float sum_of(__m256 lanes) {
  __m128 sums = _mm_add_ps(_mm256_castps256_ps128(lanes), _mm256_extractf128_ps(lanes, 1));
  sums = _mm_add_ps(sums, _mm_movehl_ps(sums, sums));
  sums = _mm_add_ss(sums, _mm_movehdup_ps(sums));
  return _mm_cvtss_f32(sums);
}

// Four chains hide the latency of the multiply-add; the rest is bound by memory.
FINEPRINT_AVX2 float dot(const float* a, const float* b, std::size_t dim) {
  __m256 s0 = _mm256_setzero_ps();
  __m256 s1 = s0;
  __m256 s2 = s0;
  __m256 s3 = s0;
  std::size_t i = 0;
  for (; i + 4 * kLanes <= dim; i += 4 * kLanes) {
    s0 = _mm256_fmadd_ps(_mm256_loadu_ps(a + i), _mm256_loadu_ps(b + i), s0);
    s1 = _mm256_fmadd_ps(_mm256_loadu_ps(a + i + 8), _mm256_loadu_ps(b + i + 8), s1);
    s2 = _mm256_fmadd_ps(_mm256_loadu_ps(a + i + 16), _mm256_loadu_ps(b + i + 16), s2);
    s3 = _mm256_fmadd_ps(_mm256_loadu_ps(a + i + 24), _mm256_loadu_ps(b + i + 24), s3);
  }
  for (; i + kLanes <= dim; i += kLanes) {
    s0 = _mm256_fmadd_ps(_mm256_loadu_ps(a + i), _mm256_loadu_ps(b + i), s0);
  }
  float total = sum_of(_mm256_add_ps(_mm256_add_ps(s0, s1), _mm256_add_ps(s2, s3)));
  for (; i < dim; ++i) total += a[i] * b[i];
  return total;
}

}  // namespace

FINEPRINT_AVX2 void dot_rows_avx2(const float* query, const float* rows, std::size_t count,
                                  std::size_t dim, float* scores) {
  for (std::size_t r = 0; r < count; ++r) scores[r] = dot(query, rows + r * dim, dim);
}

}  // namespace fineprint::score

#endif
