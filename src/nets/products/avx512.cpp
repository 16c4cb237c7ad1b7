// Products of stored matrices in AVX-512.
#if defined(__x86_64__)

#if !defined(__clang__)
// gcc 12 warns about variables of its own header, which leaves them undefined on purpose.
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif
#include <immintrin.h>

#include "nets/products/kernel.h"

#define FINEPRINT_TARGET __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl")))

namespace fineprint::nets {
namespace {

struct Set {
  using Lanes = __m512;
  static constexpr std::int64_t kLanes = 16;
  // 4 rows times 6 vectors are 24 sums; the other eight of the 32 registers hold rows and a vector.
  // 3 rows times 8 vectors are as many sums but a fifth slower, because they read more of x for
  // each multiplication.
  static constexpr std::int64_t kGroup = 6;
  static constexpr int rows_beside(int) { return 4; }

  FINEPRINT_TARGET static Lanes load(const float* at) { return _mm512_loadu_ps(at); }
  FINEPRINT_TARGET static void store(float* at, Lanes lanes) { _mm512_storeu_ps(at, lanes); }
  FINEPRINT_TARGET static Lanes all(float value) { return _mm512_set1_ps(value); }
  FINEPRINT_TARGET static Lanes times(Lanes a, Lanes b) { return _mm512_mul_ps(a, b); }
  FINEPRINT_TARGET static Lanes add_product(Lanes a, Lanes b, Lanes sum) {
    return _mm512_fmadd_ps(a, b, sum);
  }
  FINEPRINT_TARGET static float sum(Lanes lanes) { return _mm512_reduce_add_ps(lanes); }

  template <MatrixFormat kFormat>
  FINEPRINT_TARGET static Lanes widened(const std::uint8_t* at) {
    if constexpr (kFormat == MatrixFormat::float32) {
      return _mm512_loadu_ps(at);
    } else if constexpr (kFormat == MatrixFormat::float16) {
      return _mm512_cvtph_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(at)));
    } else if constexpr (kFormat == MatrixFormat::bfloat16) {
      const __m256i bits = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at));
      return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(bits), 16));
    } else {
      const __m128i codes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
      return _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(codes));
    }
  }
};

}  // namespace
}  // namespace fineprint::nets

#include "nets/products/tiles.h"

namespace fineprint::nets {
const ProductKernel kProductAvx512 = {Set::kGroup, multiply, widen_row};
}  // namespace fineprint::nets

#endif
