// Products with blocks of codes in AVX-512 VNNI, which sums four products of bytes in 32 bits.
#if defined(__x86_64__)

#if !defined(__clang__)
// gcc 12 warns about variables of its own header, which leaves them undefined on purpose.
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif

#define FINEPRINT_TARGET __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni")))

#include "nets/products/blocks/avx512_set.h"

namespace fineprint::nets {
namespace {

struct Set : Avx512Set {
  // 12 sums of codes and 12 of runs; the other eight of the 32 registers hold a panel's codes and
  // numbers.
  static constexpr std::int64_t kGroup = 12;
  static constexpr bool kPairSums = false;
  static constexpr bool kSignedCodes = false;

  template <bool>
  FINEPRINT_TARGET static Sums codes(const std::uint8_t* at) {
    return _mm512_loadu_si512(at);
  }
  template <bool>
  FINEPRINT_TARGET static Sums add_products(Sums sum, Sums codes, const std::uint8_t* x) {
    return _mm512_dpbusd_epi32(sum, codes, begin(x));
  }
  // For two runs of 16.
  FINEPRINT_TARGET static Partial products_of_pair(Words codes, const std::uint8_t* x) {
    return _mm512_dpbusd_epi32(_mm512_setzero_si512(), reinterpret_cast<__m512i>(codes),
                               pair_twice(x));
  }
  template <RunLayout kLayout>
  FINEPRINT_TARGET static Partial products_of_run(const std::uint8_t* at, std::int64_t step,
                                                  const std::uint8_t* x) {
    __m512i codes = two_rows<kLayout>(at, step);
    if constexpr (kLayout == RunLayout::bytes) {  // signed codes become unsigned ones around 128
      codes = _mm512_xor_si512(codes, _mm512_set1_epi8(-128));
    }
    return _mm512_dpbusd_epi32(_mm512_setzero_si512(), codes, twice(x));
  }
};

}  // namespace
}  // namespace fineprint::nets

#include "nets/products/blocks/tiles.h"

namespace fineprint::nets {
const BlockKernel kBlocksVnni = {Set::kGroup, quantise_group, multiply_blocks};
}  // namespace fineprint::nets

#endif
