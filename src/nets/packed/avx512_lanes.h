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
};

}  // namespace
}  // namespace fineprint::nets
