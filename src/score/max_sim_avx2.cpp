// MaxSim's kernels with AVX2: blocks of 16 rows, two registers wide.
#if defined(__x86_64__)

#include <immintrin.h>

#include "score/max_sim_kernels.h"

#define FINEPRINT_AVX2 __attribute__((target("avx2,fma,f16c")))

namespace fineprint::score {
namespace {

constexpr std::size_t kLanes = 16;
constexpr std::size_t kHalf = 8;
constexpr std::size_t kWordBytes = 4;
constexpr std::size_t kAheadBytes = kLanes * kWordBytes;  // a cache line
// Two products of a raised code (at most 255) with a query code must fit into 16 bits.
constexpr int kLevels = 64;

// Loads four words of rows r and r + 4 next to each other.
FINEPRINT_AVX2 __m256 two_of(const std::uint8_t* const* rows, std::size_t byte) {
  const __m128 first = _mm_loadu_ps(reinterpret_cast<const float*>(rows[0] + byte));
  const __m128 second = _mm_loadu_ps(reinterpret_cast<const float*>(rows[4] + byte));
  return _mm256_insertf128_ps(_mm256_castps128_ps256(first), second, 1);
}

// Transposes four columns of eight rows: 4 x 4 squares within the halves of registers.
FINEPRINT_AVX2 void transpose_chunk(const std::uint8_t* const* rows, std::size_t byte, float* out) {
  const __m256 a = two_of(rows, byte);
  const __m256 b = two_of(rows + 1, byte);
  const __m256 c = two_of(rows + 2, byte);
  const __m256 d = two_of(rows + 3, byte);
  const __m256d ab_low = _mm256_castps_pd(_mm256_unpacklo_ps(a, b));
  const __m256d ab_high = _mm256_castps_pd(_mm256_unpackhi_ps(a, b));
  const __m256d cd_low = _mm256_castps_pd(_mm256_unpacklo_ps(c, d));
  const __m256d cd_high = _mm256_castps_pd(_mm256_unpackhi_ps(c, d));
  _mm256_storeu_ps(out, _mm256_castpd_ps(_mm256_unpacklo_pd(ab_low, cd_low)));
  _mm256_storeu_ps(out + kLanes, _mm256_castpd_ps(_mm256_unpackhi_pd(ab_low, cd_low)));
  _mm256_storeu_ps(out + 2 * kLanes, _mm256_castpd_ps(_mm256_unpacklo_pd(ab_high, cd_high)));
  _mm256_storeu_ps(out + 3 * kLanes, _mm256_castpd_ps(_mm256_unpackhi_pd(ab_high, cd_high)));
}

// A block of 16 rows is two groups of eight, next to each other in the output.
FINEPRINT_AVX2 void transpose(const std::uint8_t* const* rows, std::size_t bytes,
                              std::uint32_t* out) {
  auto* words = reinterpret_cast<float*>(out);
  for (std::size_t byte = 0; byte < bytes; byte += kChunkBytes) {
    transpose_chunk(rows, byte, words + byte / kWordBytes * kLanes);
    transpose_chunk(rows + kHalf, byte, words + byte / kWordBytes * kLanes + kHalf);
  }
}

// Loads eight numbers from `i` on.
FINEPRINT_AVX2 __m256 eight(VectorType type, const std::uint8_t* row, std::size_t i) {
  if (type == VectorType::i8) {
    const __m128i codes = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(row + i));
    return _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(codes));
  }
  const __m128i halves = _mm_loadu_si128(reinterpret_cast<const __m128i*>(row + 2 * i));
  if (type == VectorType::f16) return _mm256_cvtph_ps(halves);
  return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(halves), 16));
}

// Widens rows whose length is not a multiple of eight with the slower decode_row.
FINEPRINT_AVX2 void widen(const VectorRows& rows, std::size_t r, float* out) {
  if (rows.dim % kHalf != 0) return decode_row(rows, r, out);
  const __m256 scale = _mm256_set1_ps(rows.type == VectorType::i8 ? rows.scales[r] : 1.0F);
  for (std::size_t i = 0; i < rows.dim; i += kHalf) {
    _mm256_storeu_ps(out + i, _mm256_mul_ps(eight(rows.type, rows.row(r), i), scale));
  }
}

// Returns the larger of each pair, or NaN if one is NaN.
FINEPRINT_AVX2 __m256 larger_of(__m256 fresh, __m256 before) {
  const __m256 larger = _mm256_max_ps(fresh, before);  // `before` if either is NaN
  return _mm256_blendv_ps(larger, fresh, _mm256_cmp_ps(fresh, fresh, _CMP_UNORD_Q));
}

// N sums of two registers each stay in registers while the loop walks over the dimensions.
template <int N>
FINEPRINT_AVX2 void multiply(const float* block, const float* tile, std::size_t dim,
                             const std::uint8_t* ahead, float* largest) {
  __m256 low[N];
  __m256 high[N];
#pragma GCC unroll 6
  for (int n = 0; n < N; ++n) low[n] = high[n] = _mm256_setzero_ps();
  for (std::size_t d = 0; d < dim; ++d, block += kLanes, tile += N, ahead += kAheadBytes) {
    const __m256 rows_low = _mm256_loadu_ps(block);
    const __m256 rows_high = _mm256_loadu_ps(block + kHalf);
    _mm_prefetch(ahead, _MM_HINT_T0);
#pragma GCC unroll 6
    for (int n = 0; n < N; ++n) {
      const __m256 query = _mm256_broadcast_ss(tile + n);
      low[n] = _mm256_fmadd_ps(rows_low, query, low[n]);
      high[n] = _mm256_fmadd_ps(rows_high, query, high[n]);
    }
  }
#pragma GCC unroll 6
  for (int n = 0; n < N; ++n, largest += kLanes) {
    _mm256_storeu_ps(largest, larger_of(low[n], _mm256_loadu_ps(largest)));
    _mm256_storeu_ps(largest + kHalf, larger_of(high[n], _mm256_loadu_ps(largest + kHalf)));
  }
}

FINEPRINT_AVX2 __m256i load(const std::uint32_t* words) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(words));
}

FINEPRINT_AVX2 void store(void* words, __m256i value) {
  _mm256_storeu_si256(static_cast<__m256i*>(words), value);
}

// Returns sums of four products of unsigned and signed bytes. Pairs of products must fit 16 bits.
FINEPRINT_AVX2 __m256i quads(__m256i bytes, __m256i signed_bytes) {
  return _mm256_madd_epi16(_mm256_maddubs_epi16(bytes, signed_bytes), _mm256_set1_epi16(1));
}

// Raised codes have no sign, which the multiplication needs for one factor.
FINEPRINT_AVX2 void raise(std::uint32_t* words, std::size_t word_count, std::int32_t* squares) {
  const __m256i flip = _mm256_set1_epi8(-128);
  for (std::size_t half = 0; half < kLanes; half += kHalf) {
    __m256i sums = _mm256_setzero_si256();
    for (std::size_t w = 0; w < word_count; ++w) {
      std::uint32_t* at = words + w * kLanes + half;
      const __m256i codes = load(at);
      const __m256i sizes = _mm256_abs_epi8(codes);  // at most 127, so pairs of squares fit 16 bits
      sums = _mm256_add_epi32(sums, quads(sizes, sizes));
      store(at, _mm256_xor_si256(codes, flip));
    }
    store(squares + half, sums);
  }
}

// The sums are integers and exact. Only the scale at the end rounds.
template <int N>
FINEPRINT_AVX2 void multiply_codes(const CodeBlock& block, const CodeTile& tile,
                                   const std::uint8_t* ahead, float* products, float* largest) {
  __m256i low[N];
  __m256i high[N];
  // Raised codes have 128 too much, so each sum starts at -128 times the query's sum.
#pragma GCC unroll 6
  for (int n = 0; n < N; ++n) low[n] = high[n] = _mm256_set1_epi32(-128 * tile.sums[n]);
  const std::uint32_t* rows = block.words;
  const std::uint32_t* codes = tile.words;
  for (std::size_t w = 0; w < block.word_count; ++w, rows += kLanes, codes += N) {
    const __m256i rows_low = load(rows);
    const __m256i rows_high = load(rows + kHalf);
    _mm_prefetch(ahead + w * kAheadBytes, _MM_HINT_T0);
#pragma GCC unroll 6
    for (int n = 0; n < N; ++n) {
      const __m256i query = _mm256_set1_epi32(static_cast<int>(codes[n]));
      low[n] = _mm256_add_epi32(low[n], quads(rows_low, query));
      high[n] = _mm256_add_epi32(high[n], quads(rows_high, query));
    }
  }
  const __m256 scales_low = _mm256_loadu_ps(block.scales);
  const __m256 scales_high = _mm256_loadu_ps(block.scales + kHalf);
#pragma GCC unroll 6
  for (int n = 0; n < N; ++n, products += kLanes, largest += kLanes) {
    const __m256 first = _mm256_mul_ps(_mm256_cvtepi32_ps(low[n]), scales_low);
    const __m256 second = _mm256_mul_ps(_mm256_cvtepi32_ps(high[n]), scales_high);
    _mm256_storeu_ps(products, first);
    _mm256_storeu_ps(products + kHalf, second);
    _mm256_storeu_ps(largest, larger_of(first, _mm256_loadu_ps(largest)));
    _mm256_storeu_ps(largest + kHalf, larger_of(second, _mm256_loadu_ps(largest + kHalf)));
  }
}

// Compares all query vectors before it looks at the lanes, so the loop has no branches.
FINEPRINT_AVX2 std::uint32_t reaching(const float* products, const float* thresholds,
                                      std::size_t count) {
  __m256 low = _mm256_setzero_ps();
  __m256 high = low;
  for (std::size_t n = 0; n < count; ++n, products += kLanes) {
    const __m256 threshold = _mm256_broadcast_ss(thresholds + n);
    low = _mm256_or_ps(low, _mm256_cmp_ps(_mm256_loadu_ps(products), threshold, _CMP_GE_OQ));
    high =
        _mm256_or_ps(high, _mm256_cmp_ps(_mm256_loadu_ps(products + kHalf), threshold, _CMP_GE_OQ));
  }
  return static_cast<std::uint32_t>(_mm256_movemask_ps(low)) |
         static_cast<std::uint32_t>(_mm256_movemask_ps(high)) << kHalf;
}

}  // namespace

const MaxSimKernel kMaxSimAvx2{
    kLanes,
    6,
    widen,
    transpose,
    {multiply<1>, multiply<2>, multiply<3>, multiply<4>, multiply<5>, multiply<6>}};
const CodeKernel kCodesAvx2{
    kLanes,
    5,
    kLevels,
    transpose,
    raise,
    {multiply_codes<1>, multiply_codes<2>, multiply_codes<3>, multiply_codes<4>, multiply_codes<5>},
    reaching};

}  // namespace fineprint::score

#endif
