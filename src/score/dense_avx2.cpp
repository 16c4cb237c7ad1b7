// Dot products with AVX2, FMA and F16C.
#if defined(__x86_64__)

#include <immintrin.h>

#include "score/dense_kernels.h"
#include "score/reading_ahead.h"

#define FINEPRINT_AVX2 __attribute__((target("avx2,fma,f16c")))

namespace fineprint::score {
namespace {

constexpr std::size_t kLanes = 8;
constexpr std::size_t kBlockRows = 6;  // 12 sums, 2 queries and a value fit the 16 registers

FINEPRINT_AVX2 inline float sum_of(__m256 lanes) {
  __m128 sums = _mm_add_ps(_mm256_castps256_ps128(lanes), _mm256_extractf128_ps(lanes, 1));
  sums = _mm_add_ps(sums, _mm_movehl_ps(sums, sums));
  sums = _mm_add_ss(sums, _mm_movehdup_ps(sums));
  return _mm_cvtss_f32(sums);
}

// Values [i, i + 8) of a row.
template <VectorType kType>
FINEPRINT_AVX2 inline __m256 load(const std::uint8_t* row, std::size_t i) {
  if constexpr (kType == VectorType::f32) {
    return _mm256_loadu_ps(reinterpret_cast<const float*>(row) + i);
  } else if constexpr (kType == VectorType::f16) {
    return _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(row + 2 * i)));
  } else if constexpr (kType == VectorType::bf16) {
    const __m128i bits = _mm_loadu_si128(reinterpret_cast<const __m128i*>(row + 2 * i));
    return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(bits), 16));
  } else {
    const __m128i codes = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(row + i));
    return _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(codes));
  }
}

template <VectorType kType>
FINEPRINT_AVX2 void decode_as(const std::uint8_t* values, std::size_t count, float* out) {
  std::size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) _mm256_storeu_ps(out + i, load<kType>(values, i));
  // The last few values are decoded separately, because a load of eight would read past the end.
  kDensePortable.decode(kType, values + i * vector_type_bytes(kType), count - i, out + i);
}

// The type is chosen once for a row, so that the loops have no branches.
void decode(VectorType type, const std::uint8_t* values, std::size_t count, float* out) {
  switch (type) {
    case VectorType::f32:
      return decode_as<VectorType::f32>(values, count, out);
    case VectorType::f16:
      return decode_as<VectorType::f16>(values, count, out);
    case VectorType::bf16:
      return decode_as<VectorType::bf16>(values, count, out);
    case VectorType::i8:
      return decode_as<VectorType::i8>(values, count, out);
  }
}

// Computes a row's sum in the same order whatever kRows is, so that scores do not depend on it.
template <VectorType kType, std::size_t kRows>
FINEPRINT_AVX2 void dot_group(const float* query, const VectorRows& rows, float* scores) {
  const std::uint8_t* row = rows.row(0);
  const std::size_t row_bytes = rows.dim * vector_type_bytes(kType);
  __m256 sums[kRows] = {};
  std::size_t i = 0;
  for (; i + kLanes <= rows.dim; i += kLanes) {
    const std::size_t at = i * vector_type_bytes(kType);
    if (kRows > 1 && at % kLine == 0) ask_ahead<kRows>(row, row_bytes, at, kLine);
    const __m256 values = _mm256_loadu_ps(query + i);
#pragma GCC unroll 8
    for (std::size_t r = 0; r < kRows; ++r) {
      sums[r] = _mm256_fmadd_ps(values, load<kType>(row + r * row_bytes, i), sums[r]);
    }
  }
#pragma GCC unroll 8
  for (std::size_t r = 0; r < kRows; ++r) {
    float product = sum_of(sums[r]);
    float rest[kLanes];
    kDensePortable.decode(kType, row + r * row_bytes + i * vector_type_bytes(kType), rows.dim - i,
                          rest);
    for (std::size_t lane = 0; i + lane < rows.dim; ++lane) product += query[i + lane] * rest[lane];
    scores[r] = kType == VectorType::i8 ? product * rows.scales[r] : product;
  }
}

// Long rows are read several at a time, because memory delivers more then; see reading_ahead.h.
template <VectorType kType>
void dot_as(const float* query, const VectorRows& rows, float* scores) {
  std::size_t r = 0;
  const bool long_rows = rows.dim * vector_type_bytes(kType) >= kLongRowBytes;
  for (; long_rows && r + kRowsAtOnce <= rows.count; r += kRowsAtOnce) {
    dot_group<kType, kRowsAtOnce>(query, rows.slice(r, kRowsAtOnce), scores + r);
  }
  for (; r < rows.count; ++r) dot_group<kType, 1>(query, rows.slice(r, 1), scores + r);
}

// One branch for a scan and not one for a row.
void dot(const float* query, const VectorRows& rows, float* scores) {
  switch (rows.type) {
    case VectorType::f32:
      return dot_as<VectorType::f32>(query, rows, scores);
    case VectorType::f16:
      return dot_as<VectorType::f16>(query, rows, scores);
    case VectorType::bf16:
      return dot_as<VectorType::bf16>(query, rows, scores);
    case VectorType::i8:
      return dot_as<VectorType::i8>(query, rows, scores);
  }
}

// Keeps the sums of all rows in registers while it walks over the depth.
template <std::size_t kVectors>
FINEPRINT_AVX2 void multiply_as(const PanelProduct& product) {
  __m256 lanes[kBlockRows][kVectors];
#pragma GCC unroll 6
  for (std::size_t r = 0; r < kBlockRows; ++r) {
#pragma GCC unroll 2
    for (std::size_t v = 0; v < kVectors; ++v) {
      lanes[r][v] = _mm256_loadu_ps(product.sums + (r * kVectors + v) * kLanes);
    }
  }
  for (std::size_t i = 0; i < product.depth; ++i) {
    _mm_prefetch(reinterpret_cast<const char*>(product.ahead + i * product.ahead_step),
                 _MM_HINT_T1);
    __m256 queries[kVectors];
#pragma GCC unroll 2
    for (std::size_t v = 0; v < kVectors; ++v) {
      queries[v] = _mm256_loadu_ps(product.packed + (i * kVectors + v) * kLanes);
    }
#pragma GCC unroll 6
    for (std::size_t r = 0; r < kBlockRows; ++r) {
      const __m256 value = _mm256_set1_ps(product.block[r * kBlockStride + i]);
#pragma GCC unroll 2
      for (std::size_t v = 0; v < kVectors; ++v) {
        lanes[r][v] = _mm256_fmadd_ps(value, queries[v], lanes[r][v]);
      }
    }
  }
#pragma GCC unroll 6
  for (std::size_t r = 0; r < kBlockRows; ++r) {
#pragma GCC unroll 2
    for (std::size_t v = 0; v < kVectors; ++v) {
      _mm256_storeu_ps(product.sums + (r * kVectors + v) * kLanes, lanes[r][v]);
    }
  }
}

// Decodes the next block before the product. Only the AVX-512 kernel mixes the two.
void multiply(const PanelProduct& product) {
  decode_block(product.meanwhile, decode);
  if (product.vectors == 2) return multiply_as<2>(product);
  multiply_as<1>(product);
}

}  // namespace

const DenseKernel kDenseAvx2 = {decode, dot, multiply, kLanes, kBlockRows};

}  // namespace fineprint::score

#endif
