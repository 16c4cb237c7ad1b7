// Operations on 16 floats that both AVX-512 kernels share. The including file defines
// FINEPRINT_TARGET, which names the instructions, and includes immintrin.h first.
#pragma once

#include <cstdint>

namespace fineprint::nets {
namespace {

struct Avx512Lanes {
  using Lanes = __m512;
  static constexpr std::int64_t kLanes = 16;

  FINEPRINT_TARGET static Lanes load(const float* at) { return _mm512_loadu_ps(at); }
  FINEPRINT_TARGET static void store(float* at, Lanes lanes) { _mm512_storeu_ps(at, lanes); }
  FINEPRINT_TARGET static Lanes all(float value) { return _mm512_set1_ps(value); }
  FINEPRINT_TARGET static Lanes add(Lanes a, Lanes b) { return _mm512_add_ps(a, b); }
  FINEPRINT_TARGET static Lanes times(Lanes a, Lanes b) { return _mm512_mul_ps(a, b); }
  FINEPRINT_TARGET static Lanes divide(Lanes a, Lanes b) { return _mm512_div_ps(a, b); }
  FINEPRINT_TARGET static Lanes add_product(Lanes a, Lanes b, Lanes sum) {
    return _mm512_fmadd_ps(a, b, sum);
  }
  FINEPRINT_TARGET static Lanes least(Lanes a, Lanes b) { return _mm512_min_ps(a, b); }
  FINEPRINT_TARGET static Lanes largest(Lanes a, Lanes b) { return _mm512_max_ps(a, b); }
  FINEPRINT_TARGET static Lanes subtract(Lanes a, Lanes b) { return _mm512_sub_ps(a, b); }
  FINEPRINT_TARGET static Lanes round(Lanes a) {
    return _mm512_roundscale_ps(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
  }
  FINEPRINT_TARGET static float least_of(Lanes lanes) { return _mm512_reduce_min_ps(lanes); }
  FINEPRINT_TARGET static float largest_of(Lanes lanes) { return _mm512_reduce_max_ps(lanes); }
  FINEPRINT_TARGET static void store_codes(std::uint8_t* at, Lanes codes) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(at),
                     _mm512_cvtepi32_epi8(_mm512_cvtps_epi32(codes)));
  }
};

}  // namespace
}  // namespace fineprint::nets
