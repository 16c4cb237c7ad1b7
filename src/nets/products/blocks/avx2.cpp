// Products with blocks of codes in AVX2.
#if defined(__x86_64__)

#include <cstdint>
#include <cstring>

#include <immintrin.h>

#include "nets/products/blocks/kernel.h"
#include "nets/products/blocks/run_layout.h"
#include "nets/products/blocks/scales.h"

// Every processor with AVX2 also has F16C.
#define FINEPRINT_TARGET __attribute__((target("avx2,fma,f16c")))

namespace fineprint::nets {
namespace {

struct Set {
  using Lanes = float __attribute__((vector_size(32)));
  using Words = std::uint32_t __attribute__((vector_size(32)));
  using Signed = std::int32_t __attribute__((vector_size(32)));
  using Sums = __m256i;
  static constexpr std::int64_t kRows = 8;
  // 5 sums of codes and 5 of runs; the other six of the 16 registers hold a panel's codes and
  // numbers.
  static constexpr std::int64_t kGroup = 5;
  // AVX2 sums two products of bytes in 16 bits, where codes 0..255 would overflow. Sums of smaller
  // codes are added up in 16 bits first.
  static constexpr bool kPairSums = true;
  static constexpr bool kSignedCodes = true;

  FINEPRINT_TARGET static Lanes load(const float* at) { return _mm256_loadu_ps(at); }
  FINEPRINT_TARGET static void store(float* at, Lanes lanes) { _mm256_storeu_ps(at, lanes); }
  FINEPRINT_TARGET static Lanes all(const std::uint8_t* at) {
    float value = 0;
    std::memcpy(&value, at, sizeof value);
    return _mm256_set1_ps(value);
  }
  FINEPRINT_TARGET static Lanes add_product(Lanes a, Lanes b, Lanes sum) {
    return _mm256_fmadd_ps(a, b, sum);
  }
  FINEPRINT_TARGET static Sums begin(const std::uint8_t* at) {
    std::int32_t value = 0;
    std::memcpy(&value, at, sizeof value);
    return _mm256_set1_epi32(value);
  }
  FINEPRINT_TARGET static Lanes floats(Sums sums) { return _mm256_cvtepi32_ps(sums); }
  FINEPRINT_TARGET static Lanes signed_floats(Signed words) {
    return _mm256_cvtepi32_ps(reinterpret_cast<__m256i>(words));
  }
  FINEPRINT_TARGET static Lanes halves(Words words) {
    const auto bits = reinterpret_cast<__m256i>(words);
    return _mm256_cvtph_ps(
        _mm_packus_epi32(_mm256_castsi256_si128(bits), _mm256_extracti128_si256(bits, 1)));
  }
  template <bool kSigned>
  FINEPRINT_TARGET static Sums codes(const std::uint8_t* at) {
    const __m256i codes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at));
    return kSigned ? _mm256_xor_si256(codes, _mm256_set1_epi8(-128)) : codes;
  }
  using Pairs = __m256i;  // 16 sums of two products
  template <bool kSigned>
  FINEPRINT_TARGET static Pairs pairs_of(Sums codes, const std::uint8_t* x) {
    return two_products<kSigned>(codes, begin(x));
  }
  FINEPRINT_TARGET static Pairs add_pairs(Pairs a, Pairs b) { return _mm256_add_epi16(a, b); }
  FINEPRINT_TARGET static Sums add_pairs_to(Sums sum, Pairs pairs) {
    return _mm256_add_epi32(sum, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
  }

  // For a single vector: sums of a row's products, eight for each run.
  using Partial = __m256i;
  static constexpr std::int64_t kRowsOfCodes = 1;

  template <RunLayout kLayout>
  FINEPRINT_TARGET static Partial products_of_run(const std::uint8_t* at, std::int64_t step,
                                                  const std::uint8_t* x) {
    const auto codes = reinterpret_cast<__m256i>(row_codes<kLayout>(at, step));
    return products < kLayout == RunLayout::bytes > (codes, thirty_two(x));
  }
  FINEPRINT_TARGET static Partial products_of_codes(Words codes, const std::uint8_t* x) {
    return products<false>(reinterpret_cast<__m256i>(codes), thirty_two(x));
  }
  // Returns the fifth bits of 32 codes, one a byte: 16 where the bit is set, else 0.
  FINEPRINT_TARGET static Words fifths(const std::uint8_t* at) {
    const __m256i bytes = _mm256_shuffle_epi8(
        begin(at),
        _mm256_setr_epi64x(0, 0x0101010101010101, 0x0202020202020202, 0x0303030303030303));
    const __m256i bits = _mm256_set1_epi64x(static_cast<std::int64_t>(0x8040201008040201U));
    const __m256i set = _mm256_cmpeq_epi8(_mm256_and_si256(bytes, bits), bits);
    return reinterpret_cast<Words>(_mm256_and_si256(set, _mm256_set1_epi8(16)));
  }
  // For two runs of 16.
  FINEPRINT_TARGET static Partial products_of_pair(Words codes, const std::uint8_t* x) {
    return products<false>(reinterpret_cast<__m256i>(codes),
                           _mm256_inserti128_si256(_mm256_castsi128_si256(sixteen(x)),
                                                   sixteen(x + run_bytes(16, 1)), 1));
  }
  // Returns the codes of 32 columns of a row.
  template <RunLayout kLayout>
  FINEPRINT_TARGET static Words row_codes(const std::uint8_t* at, std::int64_t) {
    __m256i codes;
    if constexpr (kLayout == RunLayout::halves) {
      const __m128i both = sixteen(at);
      codes = _mm256_inserti128_si256(_mm256_castsi128_si256(both), _mm_srli_epi32(both, 4), 1);
    } else {
      codes = thirty_two(at);
      if constexpr (kLayout == RunLayout::highs) codes = _mm256_srli_epi32(codes, 4);
    }
    if constexpr (kLayout == RunLayout::bytes) return reinterpret_cast<Words>(codes);
    return reinterpret_cast<Words>(_mm256_and_si256(codes, _mm256_set1_epi8(15)));
  }
  // Returns a number of each of two runs for four rows; each half holds one run's.
  FINEPRINT_TARGET static Words of_runs(const std::uint8_t* at, std::int64_t next) {
    return reinterpret_cast<Words>(_mm256_blend_epi32(begin(at), begin(at + next), 0xF0));
  }
  // Loads four words of each of four rows, in both halves.
  FINEPRINT_TARGET static void turn_rows(const std::uint8_t* at, std::int64_t step,
                                         Words (&words)[4]) {
    const __m128i low01 = _mm_unpacklo_epi32(sixteen(at), sixteen(at + step));
    const __m128i high01 = _mm_unpackhi_epi32(sixteen(at), sixteen(at + step));
    const __m128i low23 = _mm_unpacklo_epi32(sixteen(at + 2 * step), sixteen(at + 3 * step));
    const __m128i high23 = _mm_unpackhi_epi32(sixteen(at + 2 * step), sixteen(at + 3 * step));
    words[0] = twice(_mm_unpacklo_epi64(low01, low23));
    words[1] = twice(_mm_unpackhi_epi64(low01, low23));
    words[2] = twice(_mm_unpacklo_epi64(high01, high23));
    words[3] = twice(_mm_unpackhi_epi64(high01, high23));
  }
  // Adds up the parts [runs, rows].
  FINEPRINT_TARGET static Signed sums_by_row(const Partial (&parts)[2][4]) {
    __m256i runs[2];
    for (int run = 0; run < 2; ++run) {
      const __m256i low = _mm256_hadd_epi32(parts[run][0], parts[run][1]);
      const __m256i high = _mm256_hadd_epi32(parts[run][2], parts[run][3]);
      runs[run] = _mm256_hadd_epi32(low, high);
    }
    return reinterpret_cast<Signed>(
        _mm256_add_epi32(_mm256_permute2x128_si256(runs[0], runs[1], 0x20),
                         _mm256_permute2x128_si256(runs[0], runs[1], 0x31)));
  }
  // Adds up the parts of two runs, which hold four of a row's eight sums each: [1, rows].
  FINEPRINT_TARGET static Signed sums_of_pairs(const Partial (&parts)[1][4]) {
    const __m256i low = _mm256_hadd_epi32(parts[0][0], parts[0][1]);
    const __m256i high = _mm256_hadd_epi32(parts[0][2], parts[0][3]);
    return reinterpret_cast<Signed>(_mm256_hadd_epi32(low, high));
  }
  // Returns the four rows of a run.
  FINEPRINT_TARGET static __m128 rows_of(__m256 lanes, int run) {
    return run == 0 ? _mm256_castps256_ps128(lanes) : _mm256_extractf128_ps(lanes, 1);
  }
  FINEPRINT_TARGET static __m128 add_product(__m128 a, __m128 b, __m128 sum) {
    return _mm_fmadd_ps(a, b, sum);
  }

  // Loads four words of each row, transposed.
  FINEPRINT_TARGET static void turn(const std::uint8_t* at, std::int64_t step, Words (&words)[4]) {
    // Row 4 h + i is half h of register i.
    __m256i rows[4];
    for (int i = 0; i < 4; ++i) {
      const std::uint8_t* row = at + i * step;
      rows[i] =
          _mm256_inserti128_si256(_mm256_castsi128_si256(sixteen(row)), sixteen(row + 4 * step), 1);
    }
    const __m256i low01 = _mm256_unpacklo_epi32(rows[0], rows[1]);
    const __m256i high01 = _mm256_unpackhi_epi32(rows[0], rows[1]);
    const __m256i low23 = _mm256_unpacklo_epi32(rows[2], rows[3]);
    const __m256i high23 = _mm256_unpackhi_epi32(rows[2], rows[3]);
    words[0] = reinterpret_cast<Words>(_mm256_unpacklo_epi64(low01, low23));
    words[1] = reinterpret_cast<Words>(_mm256_unpackhi_epi64(low01, low23));
    words[2] = reinterpret_cast<Words>(_mm256_unpacklo_epi64(high01, high23));
    words[3] = reinterpret_cast<Words>(_mm256_unpackhi_epi64(high01, high23));
  }
  // Looks up each byte, which is below 16, in a table of 16.
  FINEPRINT_TARGET static Words named(Words bytes, const std::uint8_t (&table)[16]) {
    const __m256i all = _mm256_broadcastsi128_si256(sixteen(table));
    return reinterpret_cast<Words>(_mm256_shuffle_epi8(all, reinterpret_cast<__m256i>(bytes)));
  }

  template <typename Run>
  FINEPRINT_TARGET static void quantise(const float* x, Run* run) {
    __m256 values[4];
    __m256i sizes = _mm256_setzero_si256();
    for (int i = 0; i < 4; ++i) {
      values[i] = _mm256_loadu_ps(x + 8 * i);
      const __m256i bits =
          _mm256_and_si256(_mm256_castps_si256(values[i]), _mm256_set1_epi32(0x7FFFFFFF));
      sizes = _mm256_max_epi32(sizes, bits);
    }
    __m128i largest =
        _mm_max_epi32(_mm256_castsi256_si128(sizes), _mm256_extracti128_si256(sizes, 1));
    largest = _mm_max_epi32(largest, _mm_unpackhi_epi64(largest, largest));
    largest = _mm_max_epi32(largest, _mm_shuffle_epi32(largest, 1));
    run->scale = largest_scale(_mm_cvtsi128_si32(largest));
    const float inverse = inverse_of(run->scale);
    __m256i codes[4];
    for (int i = 0; i < 4; ++i) {
      codes[i] = inverse == 0
                     ? _mm256_setzero_si256()  // because values may be infinite
                     : _mm256_cvtps_epi32(_mm256_mul_ps(values[i], _mm256_set1_ps(inverse)));
    }
    run->sums[0] = sum_of(_mm256_add_epi32(codes[0], codes[1]));
    run->sums[1] = sum_of(_mm256_add_epi32(codes[2], codes[3]));
    for (int i = 0; i < 4; ++i) {
      const __m128i pairs =
          _mm_packs_epi32(_mm256_castsi256_si128(codes[i]), _mm256_extracti128_si256(codes[i], 1));
      _mm_storel_epi64(reinterpret_cast<__m128i*>(run->codes + 8 * i),
                       _mm_packs_epi16(pairs, pairs));
    }
  }

 private:
  template <bool kSigned>
  FINEPRINT_TARGET static __m256i two_products(__m256i codes, __m256i values) {
    if constexpr (kSigned) {
      // The first factor must be unsigned, so a code's sign moves to the value.
      values = _mm256_sign_epi8(values, codes);
      codes = _mm256_abs_epi8(codes);
    }
    return _mm256_maddubs_epi16(codes, values);
  }
  template <bool kSigned>
  FINEPRINT_TARGET static __m256i products(__m256i codes, __m256i values) {
    return _mm256_madd_epi16(two_products<kSigned>(codes, values), _mm256_set1_epi16(1));
  }
  FINEPRINT_TARGET static __m256i thirty_two(const std::uint8_t* at) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at));
  }
  FINEPRINT_TARGET static Words twice(__m128i words) {
    return reinterpret_cast<Words>(_mm256_broadcastsi128_si256(words));
  }
  FINEPRINT_TARGET static __m128i sixteen(const std::uint8_t* at) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
  }
  FINEPRINT_TARGET static std::int32_t sum_of(__m256i numbers) {
    __m128i sums =
        _mm_add_epi32(_mm256_castsi256_si128(numbers), _mm256_extracti128_si256(numbers, 1));
    sums = _mm_add_epi32(sums, _mm_unpackhi_epi64(sums, sums));
    return _mm_cvtsi128_si32(_mm_add_epi32(sums, _mm_shuffle_epi32(sums, 1)));
  }
};

}  // namespace
}  // namespace fineprint::nets

#include "nets/products/blocks/tiles.h"

namespace fineprint::nets {
const BlockKernel kBlocksAvx2 = {Set::kGroup, quantise_group, multiply_blocks};
}  // namespace fineprint::nets

#endif
