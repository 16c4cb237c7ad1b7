// Products of codes in AVX-512 VNNI, which sums four products of bytes at once.
#if defined(__x86_64__)

#if !defined(__clang__)
// gcc 12 warns about variables of its own header, which leaves them undefined on purpose.
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif
#include <cstdint>
#include <cstring>

#include <immintrin.h>

#define FINEPRINT_TARGET __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni")))

#include "nets/packed/avx512_lanes.h"
#include "nets/packed/panels.h"

namespace fineprint::nets {
namespace {

struct Set : Avx512Lanes {
  FINEPRINT_TARGET static Lanes widened(const std::int32_t* at) {
    return _mm512_cvtepi32_ps(_mm512_loadu_si512(at));
  }

  using Code = std::uint8_t;
  using Weight = std::int8_t;
  static const Weight* columns_of(const std::int8_t* panel, std::int64_t, Weight*) { return panel; }

  // 24 sums; the other eight of the 32 registers hold a panel's columns and values of x.
  static constexpr int kCodeRows = 12;
  static constexpr std::int64_t kCodeColumns = 32;

  template <int kRows>
  FINEPRINT_TARGET static void add_codes(const std::uint8_t* x, std::int64_t step,
                                         const std::int8_t* panel, std::int64_t quads,
                                         std::int32_t* sums) {
    __m512i all[kRows][2];
#pragma GCC unroll 12
    for (int r = 0; r < kRows; ++r) all[r][0] = all[r][1] = _mm512_setzero_si512();
    for (std::int64_t q = 0; q < quads; ++q, x += 4, panel += kPanel * kCodesAtATime) {
      const __m512i low = _mm512_loadu_si512(panel), high = _mm512_loadu_si512(panel + 64);
#pragma GCC unroll 12
      for (int r = 0; r < kRows; ++r) {
        std::int32_t four = 0;
        std::memcpy(&four, x + r * step, sizeof four);
        const __m512i values = _mm512_set1_epi32(four);
        all[r][0] = _mm512_dpbusd_epi32(all[r][0], values, low);
        all[r][1] = _mm512_dpbusd_epi32(all[r][1], values, high);
      }
    }
#pragma GCC unroll 12
    for (int r = 0; r < kRows; ++r) {
      _mm512_storeu_si512(sums + r * kCodeColumns, all[r][0]);
      _mm512_storeu_si512(sums + r * kCodeColumns + 16, all[r][1]);
    }
  }
};

}  // namespace
}  // namespace fineprint::nets

#include "nets/packed/codes.h"

namespace fineprint::nets {
const CodesKernel kCodesVnni = kCodesOfSet;
}  // namespace fineprint::nets

#endif
