// The steps of a text encoder in AVX-512.
#if defined(__x86_64__)

#if !defined(__clang__)
// gcc 12 warns about variables of its own header, which leaves them undefined on purpose.
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif
#include <cstdint>

#include <immintrin.h>

#define FINEPRINT_TARGET __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl")))

#include "nets/packed/avx512_lanes.h"

namespace fineprint::nets {
namespace {

struct Set : Avx512Lanes {
  // 24 sums; the other eight of the 32 registers hold a panel's columns and values of x.
  static constexpr int kTileRows = 12;

  FINEPRINT_TARGET static Lanes times_power_of_2(Lanes a, Lanes power) {
    return _mm512_scalef_ps(a, power);
  }
  FINEPRINT_TARGET static float sum(Lanes lanes) { return _mm512_reduce_add_ps(lanes); }
  FINEPRINT_TARGET static Lanes chosen(const float* from, const std::uint8_t* which) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(which));
    // kBiasKinds is 16, so that all numbers fit into one register.
    return _mm512_permutexvar_ps(_mm512_cvtepu8_epi32(bytes), load(from));
  }
};

}  // namespace
}  // namespace fineprint::nets

#include "nets/packed/rows.h"

namespace fineprint::nets {
const RowsKernel kRowsAvx512 = {multiply_all, softmax, add_by_kind, norm};
}  // namespace fineprint::nets

#endif
