// Products with blocks of codes in AVX-512.
#if defined(__x86_64__)

#if !defined(__clang__)
// gcc 12 warns about variables of its own header, which leaves them undefined on purpose.
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif

#define FINEPRINT_TARGET __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl")))

#include "nets/products/blocks/avx512_set.h"

namespace fineprint::nets {
namespace {

struct Set : Avx512Set {
  static constexpr std::int64_t kGroup = 12;
  // Without VNNI, two products of bytes are summed in 16 bits, where codes 0..255 would overflow.
  // Sums of smaller codes are added up in 16 bits first.
  static constexpr bool kPairSums = true;
  static constexpr bool kSignedCodes = true;

  template <bool kSigned>
  FINEPRINT_TARGET static Sums codes(const std::uint8_t* at) {
    const __m512i codes = _mm512_loadu_si512(at);
    return kSigned ? _mm512_xor_si512(codes, _mm512_set1_epi8(-128)) : codes;
  }
  using Pairs = __m512i;  // 32 sums of two products
  template <bool kSigned>
  FINEPRINT_TARGET static Pairs pairs_of(Sums codes, const std::uint8_t* x) {
    return two_products<kSigned>(codes, begin(x));
  }
  FINEPRINT_TARGET static Pairs add_pairs(Pairs a, Pairs b) { return _mm512_add_epi16(a, b); }
  FINEPRINT_TARGET static Sums add_pairs_to(Sums sum, Pairs pairs) {
    return _mm512_add_epi32(sum, _mm512_madd_epi16(pairs, _mm512_set1_epi16(1)));
  }
  // For two runs of 16.
  FINEPRINT_TARGET static Partial products_of_pair(Words codes, const std::uint8_t* x) {
    return products<false>(reinterpret_cast<__m512i>(codes), pair_twice(x));
  }
  template <RunLayout kLayout>
  FINEPRINT_TARGET static Partial products_of_run(const std::uint8_t* at, std::int64_t step,
                                                  const std::uint8_t* x) {
    return products < kLayout == RunLayout::bytes > (two_rows<kLayout>(at, step), twice(x));
  }

 private:
  template <bool kSigned>
  FINEPRINT_TARGET static __m512i two_products(__m512i codes, __m512i values) {
    if constexpr (kSigned) {
      // The first factor must be unsigned, so a code's sign moves to the value.
      const __mmask64 negative = _mm512_movepi8_mask(codes);
      values = _mm512_mask_sub_epi8(values, negative, _mm512_setzero_si512(), values);
      codes = _mm512_abs_epi8(codes);
    }
    return _mm512_maddubs_epi16(codes, values);
  }
  template <bool kSigned>
  FINEPRINT_TARGET static __m512i products(__m512i codes, __m512i values) {
    return _mm512_madd_epi16(two_products<kSigned>(codes, values), _mm512_set1_epi16(1));
  }
};

}  // namespace
}  // namespace fineprint::nets

#include "nets/products/blocks/tiles.h"

namespace fineprint::nets {
const BlockKernel kBlocksAvx512 = {Set::kGroup, quantise_group, multiply_blocks};
}  // namespace fineprint::nets

#endif
