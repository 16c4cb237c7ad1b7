// Products of stored matrices in AVX2.
#if defined(__x86_64__)

#include <immintrin.h>

#include "nets/products/kernel.h"

// Every processor with AVX2 also has F16C.
#define FINEPRINT_TARGET __attribute__((target("avx2,fma,f16c")))

namespace fineprint::nets {
namespace {

struct Set {
  using Lanes = __m256;
  static constexpr std::int64_t kLanes = 8;
  static constexpr std::int64_t kGroup = 4;
  // Up to 12 sums; the other four of the 16 registers hold rows and a vector.
  static constexpr int rows_beside(int vectors) { return vectors > 3 ? 3 : vectors > 1 ? 4 : 8; }

  FINEPRINT_TARGET static Lanes load(const float* at) { return _mm256_loadu_ps(at); }
  FINEPRINT_TARGET static void store(float* at, Lanes lanes) { _mm256_storeu_ps(at, lanes); }
  FINEPRINT_TARGET static Lanes all(float value) { return _mm256_set1_ps(value); }
  FINEPRINT_TARGET static Lanes times(Lanes a, Lanes b) { return _mm256_mul_ps(a, b); }
  FINEPRINT_TARGET static Lanes add_product(Lanes a, Lanes b, Lanes sum) {
    return _mm256_fmadd_ps(a, b, sum);
  }
  FINEPRINT_TARGET static float sum(Lanes lanes) {
    __m128 sums = _mm_add_ps(_mm256_castps256_ps128(lanes), _mm256_extractf128_ps(lanes, 1));
    sums = _mm_add_ps(sums, _mm_movehl_ps(sums, sums));
    return _mm_cvtss_f32(_mm_add_ss(sums, _mm_movehdup_ps(sums)));
  }

  template <MatrixFormat kFormat>
  FINEPRINT_TARGET static Lanes widened(const std::uint8_t* at) {
    if constexpr (kFormat == MatrixFormat::float32) {
      return _mm256_castsi256_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(at)));
    } else if constexpr (kFormat == MatrixFormat::int8) {
      const __m128i codes = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(at));
      return _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(codes));
    } else {
      const __m128i bits = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
      if constexpr (kFormat == MatrixFormat::float16) return _mm256_cvtph_ps(bits);
      return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(bits), 16));
    }
  }
};

}  // namespace
}  // namespace fineprint::nets

#include "nets/products/tiles.h"

namespace fineprint::nets {
const ProductKernel kProductAvx2 = {Set::kGroup, multiply, widen_row};
}  // namespace fineprint::nets

#endif
