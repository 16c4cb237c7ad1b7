// MaxSim's kernels with AVX-512: blocks of 16 rows, one register wide.
#if defined(__x86_64__)

// gcc 12 warns of registers in its own header, which it leaves undefined on purpose.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

#include <immintrin.h>

#include "score/max_sim_kernels.h"

#define FINEPRINT_AVX512 __attribute__((target("avx512f")))
#define FINEPRINT_VNNI __attribute__((target("avx512f,avx512bw,avx512vnni")))

namespace fineprint::score {
namespace {

constexpr std::size_t kLanes = 16;
constexpr std::size_t kTile = 24;  // sums that fit the 32 registers, with room for rows and queries
constexpr std::size_t kWordBytes = 4;
constexpr std::size_t kAheadBytes = kLanes * kWordBytes;  // a cache line

// Loads four words of rows r, r + 4, r + 8, r + 12 next to each other. Uses masked loads, because
// insertions would compete for the unit that transposes.
FINEPRINT_AVX512 __m512 four_of(const std::uint8_t* const* rows, std::size_t byte) {
  const auto chunk = [&](std::size_t r) {
    return _mm_loadu_ps(reinterpret_cast<const float*>(rows[r] + byte));
  };
  __m512 four = _mm512_broadcast_f32x4(chunk(0));
  four = _mm512_mask_broadcast_f32x4(four, 0x00F0, chunk(4));
  four = _mm512_mask_broadcast_f32x4(four, 0x0F00, chunk(8));
  return _mm512_mask_broadcast_f32x4(four, 0xF000, chunk(12));
}

// Transposes four columns of sixteen rows: 4 x 4 squares within the quarters of registers.
FINEPRINT_AVX512 void transpose_chunk(const std::uint8_t* const* rows, std::size_t byte,
                                      float* out) {
  const __m512 a = four_of(rows, byte);
  const __m512 b = four_of(rows + 1, byte);
  const __m512 c = four_of(rows + 2, byte);
  const __m512 d = four_of(rows + 3, byte);
  const __m512d ab_low = _mm512_castps_pd(_mm512_unpacklo_ps(a, b));
  const __m512d ab_high = _mm512_castps_pd(_mm512_unpackhi_ps(a, b));
  const __m512d cd_low = _mm512_castps_pd(_mm512_unpacklo_ps(c, d));
  const __m512d cd_high = _mm512_castps_pd(_mm512_unpackhi_ps(c, d));
  _mm512_store_ps(out, _mm512_castpd_ps(_mm512_unpacklo_pd(ab_low, cd_low)));
  _mm512_store_ps(out + kLanes, _mm512_castpd_ps(_mm512_unpackhi_pd(ab_low, cd_low)));
  _mm512_store_ps(out + 2 * kLanes, _mm512_castpd_ps(_mm512_unpacklo_pd(ab_high, cd_high)));
  _mm512_store_ps(out + 3 * kLanes, _mm512_castpd_ps(_mm512_unpackhi_pd(ab_high, cd_high)));
}

FINEPRINT_AVX512 void transpose(const std::uint8_t* const* rows, std::size_t bytes,
                                std::uint32_t* out) {
  auto* words = reinterpret_cast<float*>(out);
  for (std::size_t byte = 0; byte < bytes; byte += kChunkBytes) {
    transpose_chunk(rows, byte, words + byte / kWordBytes * kLanes);
  }
}

FINEPRINT_AVX512 void widen_f16(const std::uint8_t* row, std::size_t dim, float* out) {
  for (std::size_t i = 0; i < dim; i += kLanes) {
    const __m256i halves = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(row + 2 * i));
    _mm512_storeu_ps(out + i, _mm512_cvtph_ps(halves));
  }
}

FINEPRINT_AVX512 void widen_bf16(const std::uint8_t* row, std::size_t dim, float* out) {
  for (std::size_t i = 0; i < dim; i += kLanes) {
    const __m256i halves = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(row + 2 * i));
    _mm512_storeu_si512(out + i, _mm512_slli_epi32(_mm512_cvtepu16_epi32(halves), 16));
  }
}

FINEPRINT_AVX512 void widen_i8(const std::uint8_t* row, std::size_t dim, float scale, float* out) {
  for (std::size_t i = 0; i < dim; i += kLanes) {
    const __m128i codes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(row + i));
    const __m512 values = _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(codes));
    _mm512_storeu_ps(out + i, _mm512_mul_ps(values, _mm512_set1_ps(scale)));
  }
}

// Rows whose length is not a multiple of a register take the slower decode_row().
void widen(const VectorRows& rows, std::size_t r, float* out) {
  if (rows.dim % kLanes != 0) return decode_row(rows, r, out);
  if (rows.type == VectorType::f16) return widen_f16(rows.row(r), rows.dim, out);
  if (rows.type == VectorType::bf16) return widen_bf16(rows.row(r), rows.dim, out);
  widen_i8(rows.row(r), rows.dim, rows.scales[r], out);
}

// Returns the larger of each pair, or NaN if one is NaN.
FINEPRINT_AVX512 __m512 larger_of(__m512 fresh, __m512 before) {
  const __m512 larger = _mm512_max_ps(fresh, before);  // `before` if either is NaN
  return _mm512_mask_mov_ps(larger, _mm512_cmp_ps_mask(fresh, fresh, _CMP_UNORD_Q), fresh);
}

// N sums stay in registers while the loop walks over the dimensions.
template <int N>
FINEPRINT_AVX512 void multiply(const float* block, const float* tile, std::size_t dim,
                               const std::uint8_t* ahead, float* largest) {
  __m512 sums[N];
#pragma GCC unroll 24
  for (int n = 0; n < N; ++n) sums[n] = _mm512_setzero_ps();
  for (std::size_t d = 0; d < dim; ++d, block += kLanes, tile += N, ahead += kAheadBytes) {
    const __m512 rows = _mm512_load_ps(block);
    _mm_prefetch(ahead, _MM_HINT_T0);
#pragma GCC unroll 24
    for (int n = 0; n < N; ++n) sums[n] = _mm512_fmadd_ps(rows, _mm512_set1_ps(tile[n]), sums[n]);
  }
#pragma GCC unroll 24
  for (int n = 0; n < N; ++n, largest += kLanes) {
    _mm512_store_ps(largest, larger_of(sums[n], _mm512_load_ps(largest)));
  }
}

// Raised codes have no sign, which the multiplication needs for one factor.
FINEPRINT_VNNI void raise(std::uint32_t* words, std::size_t word_count, std::int32_t* squares) {
  __m512i sums = _mm512_setzero_si512();
  const __m512i flip = _mm512_set1_epi8(-128);
  for (std::size_t w = 0; w < word_count; ++w, words += kLanes) {
    const __m512i codes = _mm512_load_si512(words);
    const __m512i sizes = _mm512_abs_epi8(codes);
    sums = _mm512_dpbusd_epi32(sums, sizes, sizes);
    _mm512_store_si512(words, _mm512_xor_si512(codes, flip));
  }
  _mm512_store_si512(squares, sums);
}

// sums += page . codes, with the same four codes for every lane. Uses assembly, because around the
// intrinsic gcc 12 copies all sums between registers and memory, at half the speed.
FINEPRINT_VNNI inline void add_products(__m512i& sums, __m512i page, const std::uint32_t& codes) {
  asm("vpdpbusd %2%{1to16%}, %1, %0" : "+v"(sums) : "v"(page), "m"(codes));
}

// The sums are integers and exact. Only the scale at the end rounds.
template <int N>
FINEPRINT_VNNI void multiply_codes(const CodeBlock& block, const CodeTile& tile,
                                   const std::uint8_t* ahead, float* products, float* largest) {
  __m512i sums[N];
  // Raised codes have 128 too much, so each sum starts at -128 times the query's sum.
#pragma GCC unroll 24
  for (int n = 0; n < N; ++n) sums[n] = _mm512_set1_epi32(-128 * tile.sums[n]);
  const std::uint32_t* rows = block.words;
  const std::uint32_t* codes = tile.words;
  for (std::size_t w = 0; w < block.word_count; ++w) {
    const __m512i page = _mm512_load_si512(rows + w * kLanes);
    _mm_prefetch(ahead + w * kAheadBytes, _MM_HINT_T0);
#pragma GCC unroll 24
    for (int n = 0; n < N; ++n) add_products(sums[n], page, codes[n]);
    codes += N;
  }
  const __m512 scales = _mm512_load_ps(block.scales);
#pragma GCC unroll 24
  for (int n = 0; n < N; ++n, products += kLanes, largest += kLanes) {
    const __m512 product = _mm512_mul_ps(_mm512_cvtepi32_ps(sums[n]), scales);
    _mm512_store_ps(products, product);
    _mm512_store_ps(largest, larger_of(product, _mm512_load_ps(largest)));
  }
}

FINEPRINT_AVX512 std::uint32_t reaching(const float* products, const float* thresholds,
                                        std::size_t count) {
  std::uint32_t bits = 0;
  for (std::size_t n = 0; n < count; ++n, products += kLanes) {
    bits |= _mm512_cmp_ps_mask(_mm512_load_ps(products), _mm512_set1_ps(thresholds[n]), _CMP_GE_OQ);
  }
  return bits;
}

}  // namespace

const MaxSimKernel kMaxSimAvx512{
    kLanes, kTile, widen, transpose, {multiply<1>,  multiply<2>,  multiply<3>,  multiply<4>,
                                      multiply<5>,  multiply<6>,  multiply<7>,  multiply<8>,
                                      multiply<9>,  multiply<10>, multiply<11>, multiply<12>,
                                      multiply<13>, multiply<14>, multiply<15>, multiply<16>,
                                      multiply<17>, multiply<18>, multiply<19>, multiply<20>,
                                      multiply<21>, multiply<22>, multiply<23>, multiply<24>}};
const CodeKernel kCodesVnni{
    kLanes,
    kTile,
    127,
    transpose,
    raise,
    {multiply_codes<1>,  multiply_codes<2>,  multiply_codes<3>,  multiply_codes<4>,
     multiply_codes<5>,  multiply_codes<6>,  multiply_codes<7>,  multiply_codes<8>,
     multiply_codes<9>,  multiply_codes<10>, multiply_codes<11>, multiply_codes<12>,
     multiply_codes<13>, multiply_codes<14>, multiply_codes<15>, multiply_codes<16>,
     multiply_codes<17>, multiply_codes<18>, multiply_codes<19>, multiply_codes<20>,
     multiply_codes<21>, multiply_codes<22>, multiply_codes<23>, multiply_codes<24>},
    reaching};

}  // namespace fineprint::score

#endif
