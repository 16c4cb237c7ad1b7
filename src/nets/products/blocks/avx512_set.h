// AVX-512's registers for products with blocks. Included after FINEPRINT_TARGET is defined.
#include <cstdint>
#include <cstring>

#include <immintrin.h>

#include "nets/products/blocks/kernel.h"
#include "nets/products/blocks/run_layout.h"
#include "nets/products/blocks/scales.h"

namespace fineprint::nets {
namespace {

struct Avx512Set {
  using Lanes = float __attribute__((vector_size(64)));
  using Words = std::uint32_t __attribute__((vector_size(64)));
  using Signed = std::int32_t __attribute__((vector_size(64)));
  using Sums = __m512i;
  static constexpr std::int64_t kRows = 16;

  FINEPRINT_TARGET static Lanes load(const float* at) { return _mm512_loadu_ps(at); }
  FINEPRINT_TARGET static void store(float* at, Lanes lanes) { _mm512_storeu_ps(at, lanes); }
  FINEPRINT_TARGET static Lanes all(const std::uint8_t* at) {
    float value = 0;
    std::memcpy(&value, at, sizeof value);
    return _mm512_set1_ps(value);
  }
  FINEPRINT_TARGET static Lanes add_product(Lanes a, Lanes b, Lanes sum) {
    return _mm512_fmadd_ps(a, b, sum);
  }
  FINEPRINT_TARGET static Sums begin(const std::uint8_t* at) {
    std::int32_t value = 0;
    std::memcpy(&value, at, sizeof value);
    return _mm512_set1_epi32(value);
  }
  FINEPRINT_TARGET static Lanes floats(Sums sums) { return _mm512_cvtepi32_ps(sums); }
  FINEPRINT_TARGET static Lanes signed_floats(Signed words) {
    return _mm512_cvtepi32_ps(reinterpret_cast<__m512i>(words));
  }
  FINEPRINT_TARGET static Lanes halves(Words words) {
    return _mm512_cvtph_ps(_mm512_cvtepi32_epi16(reinterpret_cast<__m512i>(words)));
  }

  // Loads four words of each row, transposed.
  FINEPRINT_TARGET static void turn(const std::uint8_t* at, std::int64_t step, Words (&words)[4]) {
    // Row 4 q + i is quarter q of register i.
    __m512i rows[4];
    for (int i = 0; i < 4; ++i) {
      const std::uint8_t* row = at + i * step;
      rows[i] = _mm512_castsi128_si512(sixteen(row));
      rows[i] = _mm512_inserti32x4(rows[i], sixteen(row + 4 * step), 1);
      rows[i] = _mm512_inserti32x4(rows[i], sixteen(row + 8 * step), 2);
      rows[i] = _mm512_inserti32x4(rows[i], sixteen(row + 12 * step), 3);
    }
    const __m512i low01 = _mm512_unpacklo_epi32(rows[0], rows[1]);
    const __m512i high01 = _mm512_unpackhi_epi32(rows[0], rows[1]);
    const __m512i low23 = _mm512_unpacklo_epi32(rows[2], rows[3]);
    const __m512i high23 = _mm512_unpackhi_epi32(rows[2], rows[3]);
    words[0] = reinterpret_cast<Words>(_mm512_unpacklo_epi64(low01, low23));
    words[1] = reinterpret_cast<Words>(_mm512_unpackhi_epi64(low01, low23));
    words[2] = reinterpret_cast<Words>(_mm512_unpacklo_epi64(high01, high23));
    words[3] = reinterpret_cast<Words>(_mm512_unpackhi_epi64(high01, high23));
  }
  // Looks up each byte, which is below 16, in a table of 16.
  FINEPRINT_TARGET static Words named(Words bytes, const std::uint8_t (&table)[16]) {
    const __m512i all = _mm512_broadcast_i32x4(sixteen(table));
    return reinterpret_cast<Words>(_mm512_shuffle_epi8(all, reinterpret_cast<__m512i>(bytes)));
  }

  // For a single vector: codes of two rows by columns, and sums of their products; eight sums
  // belong to one row.
  using Partial = __m512i;
  static constexpr std::int64_t kRowsOfCodes = 2;

  // Returns a number of each of four runs for four rows; each quarter holds one run's.
  FINEPRINT_TARGET static Words of_runs(const std::uint8_t* at, std::int64_t next) {
    __m512i words = begin(at);
    words = _mm512_mask_mov_epi32(words, 0x00F0, begin(at + next));
    words = _mm512_mask_mov_epi32(words, 0x0F00, begin(at + 2 * next));
    return reinterpret_cast<Words>(_mm512_mask_mov_epi32(words, 0xF000, begin(at + 3 * next)));
  }
  // Loads four words of each of four rows, in every quarter.
  FINEPRINT_TARGET static void turn_rows(const std::uint8_t* at, std::int64_t step,
                                         Words (&words)[4]) {
    const __m128i low01 = _mm_unpacklo_epi32(sixteen(at), sixteen(at + step));
    const __m128i high01 = _mm_unpackhi_epi32(sixteen(at), sixteen(at + step));
    const __m128i low23 = _mm_unpacklo_epi32(sixteen(at + 2 * step), sixteen(at + 3 * step));
    const __m128i high23 = _mm_unpackhi_epi32(sixteen(at + 2 * step), sixteen(at + 3 * step));
    words[0] = four_times(_mm_unpacklo_epi64(low01, low23));
    words[1] = four_times(_mm_unpackhi_epi64(low01, low23));
    words[2] = four_times(_mm_unpacklo_epi64(high01, high23));
    words[3] = four_times(_mm_unpackhi_epi64(high01, high23));
  }
  // Adds up the parts [runs, pairs of rows].
  FINEPRINT_TARGET static Signed sums_by_row(const Partial (&parts)[4][2]) {
    __m512i runs[2];
    for (int i = 0; i < 2; ++i) {
      // Each quarter holds half of four sums: of the first pair's row and the second's, for two
      // runs.
      const __m512i first = added_by_twos(parts[2 * i][0], parts[2 * i][1]);
      const __m512i second = added_by_twos(parts[2 * i + 1][0], parts[2 * i + 1][1]);
      runs[i] = _mm512_add_epi32(_mm512_unpacklo_epi64(first, second),
                                 _mm512_unpackhi_epi64(first, second));
    }
    const __m512i sums = _mm512_add_epi32(_mm512_shuffle_i32x4(runs[0], runs[1], 0x88),
                                          _mm512_shuffle_i32x4(runs[0], runs[1], 0xDD));
    const __m512i order = _mm512_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7, 8, 12, 9, 13, 10, 14, 11, 15);
    return reinterpret_cast<Signed>(_mm512_permutexvar_epi32(order, sums));
  }
  // Adds up the parts of pairs of runs, which hold four of a row's eight sums each:
  // [pairs of runs, pairs of rows].
  FINEPRINT_TARGET static Signed sums_of_pairs(const Partial (&parts)[2][2]) {
    const __m512i first = added_by_twos(parts[0][0], parts[0][1]);
    const __m512i second = added_by_twos(parts[1][0], parts[1][1]);
    const __m512i sums = _mm512_add_epi32(_mm512_unpacklo_epi64(first, second),
                                          _mm512_unpackhi_epi64(first, second));
    const __m512i order = _mm512_setr_epi32(0, 8, 1, 9, 4, 12, 5, 13, 2, 10, 3, 11, 6, 14, 7, 15);
    return reinterpret_cast<Signed>(_mm512_permutexvar_epi32(order, sums));
  }
  template <RunLayout kLayout>
  FINEPRINT_TARGET static Words row_codes(const std::uint8_t* at, std::int64_t step) {
    return reinterpret_cast<Words>(two_rows<kLayout>(at, step));
  }
  // Returns the four rows of a run.
  FINEPRINT_TARGET static __m128 rows_of(__m512 lanes, int run) {
    switch (run) {
      case 0:
        return _mm512_castps512_ps128(lanes);
      case 1:
        return _mm512_extractf32x4_ps(lanes, 1);
      case 2:
        return _mm512_extractf32x4_ps(lanes, 2);
      default:
        return _mm512_extractf32x4_ps(lanes, 3);
    }
  }
  FINEPRINT_TARGET static __m128 add_product(__m128 a, __m128 b, __m128 sum) {
    return _mm_maskz_fmadd_ps(0xFF, a, b, sum);  // unmasked, it needs FMA too
  }

  template <typename Run>
  FINEPRINT_TARGET static void quantise(const float* x, Run* run) {
    const __m512 low = _mm512_loadu_ps(x), high = _mm512_loadu_ps(x + 16);
    const __m512i sizes = _mm512_max_epi32(size_bits(low), size_bits(high));
    run->scale = largest_scale(_mm512_reduce_max_epi32(sizes));
    const float inverse = inverse_of(run->scale);
    const __m512 factor = _mm512_set1_ps(inverse);
    const __mmask16 there =
        inverse == 0 ? 0 : 0xFFFF;  // without an inverse, values may be infinite
    const __m512i first = _mm512_maskz_cvtps_epi32(there, _mm512_mul_ps(low, factor));
    const __m512i second = _mm512_maskz_cvtps_epi32(there, _mm512_mul_ps(high, factor));
    run->sums[0] = _mm512_reduce_add_epi32(first);
    run->sums[1] = _mm512_reduce_add_epi32(second);
    _mm_store_si128(reinterpret_cast<__m128i*>(run->codes), _mm512_cvtepi32_epi8(first));
    _mm_store_si128(reinterpret_cast<__m128i*>(run->codes + 16), _mm512_cvtepi32_epi8(second));
  }

 protected:
  // Returns the codes of 32 columns of two rows.
  template <RunLayout kLayout>
  FINEPRINT_TARGET static __m512i two_rows(const std::uint8_t* at, std::int64_t step) {
    __m512i codes;
    if constexpr (kLayout == RunLayout::halves) {
      codes = _mm512_mask_broadcast_i32x4(_mm512_broadcast_i32x4(sixteen(at)), 0xFF00,
                                          sixteen(at + step));
      codes = _mm512_mask_srli_epi32(codes, 0xF0F0, codes, 4);
    } else {
      codes = _mm512_inserti64x4(_mm512_castsi256_si512(thirty_two(at)), thirty_two(at + step), 1);
      if constexpr (kLayout == RunLayout::highs) codes = _mm512_srli_epi32(codes, 4);
    }
    if constexpr (kLayout == RunLayout::bytes) return codes;
    return _mm512_and_si512(codes, _mm512_set1_epi8(15));
  }
  // Returns two runs of 16 bytes, twice.
  FINEPRINT_TARGET static __m512i pair_twice(const std::uint8_t* at) {
    return _mm512_mask_broadcast_i32x4(_mm512_broadcast_i32x4(sixteen(at)), 0xF0F0,
                                       sixteen(at + run_bytes(16, 1)));
  }
  // Returns 32 bytes, twice.
  FINEPRINT_TARGET static __m512i twice(const std::uint8_t* at) {
    return _mm512_broadcast_i64x4(thirty_two(at));
  }

 private:
  FINEPRINT_TARGET static __m256i thirty_two(const std::uint8_t* at) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at));
  }
  FINEPRINT_TARGET static Words four_times(__m128i words) {
    return reinterpret_cast<Words>(_mm512_broadcast_i32x4(words));
  }
  // Adds, in each quarter, the first and third number and the second and fourth, of `a` and `b` in
  // turn.
  FINEPRINT_TARGET static __m512i added_by_twos(__m512i a, __m512i b) {
    return _mm512_add_epi32(_mm512_unpacklo_epi32(a, b), _mm512_unpackhi_epi32(a, b));
  }
  FINEPRINT_TARGET static __m128i sixteen(const std::uint8_t* at) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
  }
  FINEPRINT_TARGET static __m512i size_bits(__m512 values) {
    return _mm512_and_si512(_mm512_castps_si512(values), _mm512_set1_epi32(0x7FFFFFFF));
  }
};

}  // namespace
}  // namespace fineprint::nets
