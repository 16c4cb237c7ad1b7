// Dot products with AVX-512.
#if defined(__x86_64__)

#if !defined(__clang__)
// gcc 12 warns of variables in its own header, which it leaves undefined on purpose.
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif
#include <algorithm>

#include <immintrin.h>

#include "score/dense_kernels.h"
#include "score/reading_ahead.h"

#define FINEPRINT_AVX512 __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl")))

namespace fineprint::score {
namespace {

constexpr std::size_t kLanes = 16;
constexpr std::size_t kBlockRows = 12;  // 24 sums, 2 queries and a value fit the 32 registers

// Returns a mask of the first `left` lanes, or of all if there are fewer lanes.
inline __mmask16 first_lanes(std::size_t left) {
  return static_cast<__mmask16>(left >= kLanes ? 0xFFFFu : (1u << left) - 1u);
}

// Loads values [i, i + 16) of a row. Values outside the mask are not read and become 0.
template <VectorType kType>
FINEPRINT_AVX512 inline __m512 load(const std::uint8_t* row, std::size_t i, __mmask16 mask) {
  if constexpr (kType == VectorType::f32) {
    return _mm512_maskz_loadu_ps(mask, row + 4 * i);
  } else if constexpr (kType == VectorType::f16) {
    return _mm512_cvtph_ps(_mm256_maskz_loadu_epi16(mask, row + 2 * i));
  } else if constexpr (kType == VectorType::bf16) {
    const __m256i bits = _mm256_maskz_loadu_epi16(mask, row + 2 * i);
    return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(bits), 16));
  } else {
    return _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(_mm_maskz_loadu_epi8(mask, row + i)));
  }
}

// Masks handle the end of a row, so no scalar loop is needed.
template <VectorType kType>
FINEPRINT_AVX512 void decode_as(const std::uint8_t* values, std::size_t count, float* out) {
  std::size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    _mm512_storeu_ps(out + i, load<kType>(values, i, 0xFFFF));
  }
  const __mmask16 mask = first_lanes(count - i);
  if (i < count) _mm512_mask_storeu_ps(out + i, mask, load<kType>(values, i, mask));
}

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

// Two sums for each row, because a multiply-add must wait for the one before it in the same sum.
template <std::size_t kRows>
struct DotLanes {
  __m512 even[kRows] = {};
  __m512 odd[kRows] = {};
};

// Rows are the inner loop, so that each part of the query is loaded once for all of them.
template <VectorType kType, std::size_t kRows>
FINEPRINT_AVX512 inline void add_to(__m512 query, const std::uint8_t* row, std::size_t row_bytes,
                                    std::size_t i, __mmask16 mask, __m512 (&sums)[kRows]) {
#pragma GCC unroll 8
  for (std::size_t r = 0; r < kRows; ++r) {
    sums[r] = _mm512_fmadd_ps(query, load<kType>(row + r * row_bytes, i, mask), sums[r]);
  }
}

// Computes a row's sum in the same order whatever kRows is, so that scores do not depend on it.
template <VectorType kType, std::size_t kRows>
FINEPRINT_AVX512 void dot_group(const float* query, const VectorRows& rows, float* scores) {
  constexpr std::size_t kStep = 2 * kLanes;
  const std::uint8_t* row = rows.row(0);
  const std::size_t row_bytes = rows.dim * vector_type_bytes(kType);
  DotLanes<kRows> lanes;
  std::size_t i = 0;
  for (; i + kStep <= rows.dim; i += kStep) {
    if constexpr (kRows > 1) {
      ask_ahead<kRows>(row, row_bytes, i * vector_type_bytes(kType),
                       kStep * vector_type_bytes(kType));
    }
    add_to<kType>(_mm512_loadu_ps(query + i), row, row_bytes, i, 0xFFFF, lanes.even);
    add_to<kType>(_mm512_loadu_ps(query + i + kLanes), row, row_bytes, i + kLanes, 0xFFFF,
                  lanes.odd);
  }
  for (; i < rows.dim; i += kLanes) {
    const __mmask16 mask = first_lanes(rows.dim - i);
    add_to<kType>(_mm512_maskz_loadu_ps(mask, query + i), row, row_bytes, i, mask, lanes.even);
  }
#pragma GCC unroll 8
  for (std::size_t r = 0; r < kRows; ++r) {
    const float product = _mm512_reduce_add_ps(_mm512_add_ps(lanes.even[r], lanes.odd[r]));
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

template <std::size_t kVectors>
using BlockLanes = __m512[kBlockRows][kVectors];

// Adds the products with value i of every row.
template <std::size_t kVectors>
FINEPRINT_AVX512 inline void add_value(const PanelProduct& product, std::size_t i,
                                       BlockLanes<kVectors>& lanes) {
  _mm_prefetch(reinterpret_cast<const char*>(product.ahead + i * product.ahead_step), _MM_HINT_T1);
  __m512 queries[kVectors];
#pragma GCC unroll 2
  for (std::size_t v = 0; v < kVectors; ++v) {
    queries[v] = _mm512_loadu_ps(product.packed + (i * kVectors + v) * kLanes);
  }
#pragma GCC unroll 12
  for (std::size_t r = 0; r < kBlockRows; ++r) {
    const __m512 value = _mm512_set1_ps(product.block[r * kBlockStride + i]);
#pragma GCC unroll 2
    for (std::size_t v = 0; v < kVectors; ++v) {
      lanes[r][v] = _mm512_fmadd_ps(value, queries[v], lanes[r][v]);
    }
  }
}

// Decodes sixteen values of one row at step i: first of one row after the other, then the next
// sixteen. If there are fewer rows than steps, it decodes the last row again: a branch would cost
// more.
template <VectorType kType>
FINEPRINT_AVX512 inline void decode_at(const BlockDecoding& block, std::size_t i) {
  const std::size_t at = i / kLanes * kLanes;
  const std::size_t r = std::min(i - at, block.rows - 1);
  _mm512_storeu_ps(block.out + r * kBlockStride + at,
                   load<kType>(block.values + r * block.row_bytes, at, 0xFFFF));
}

template <std::size_t kVectors, VectorType kType>
FINEPRINT_AVX512 void multiply_as(const PanelProduct& product) {
  static_assert(kBlockRows <= kLanes);
  const PanelProduct p = product;  // a copy, so that stores cannot change it and force reloads
  const BlockDecoding next = p.meanwhile;
  BlockLanes<kVectors> lanes;
#pragma GCC unroll 12
  for (std::size_t r = 0; r < kBlockRows; ++r) {
#pragma GCC unroll 2
    for (std::size_t v = 0; v < kVectors; ++v) {
      lanes[r][v] = _mm512_loadu_ps(p.sums + (r * kVectors + v) * kLanes);
    }
  }
  const std::size_t both = next.rows == 0 ? 0 : std::min(p.depth, next.depth) / kLanes * kLanes;
  std::size_t i = 0;
  for (; i < both; ++i) {
    add_value<kVectors>(p, i, lanes);
    decode_at<kType>(next, i);
  }
  for (; i < p.depth; ++i) add_value<kVectors>(p, i, lanes);
#pragma GCC unroll 12
  for (std::size_t r = 0; r < kBlockRows; ++r) {
#pragma GCC unroll 2
    for (std::size_t v = 0; v < kVectors; ++v) {
      _mm512_storeu_ps(p.sums + (r * kVectors + v) * kLanes, lanes[r][v]);
    }
  }
  for (std::size_t r = 0; r < next.rows && both < next.depth; ++r) {
    decode_as<kType>(next.values + r * next.row_bytes + both * vector_type_bytes(kType),
                     next.depth - both, next.out + r * kBlockStride + both);
  }
}

// Chooses the number of query vectors at compile time; `kType` is the type of the next block.
template <VectorType kType>
void multiply_while_decoding(const PanelProduct& product) {
  if (product.vectors == 2) return multiply_as<2, kType>(product);
  multiply_as<1, kType>(product);
}

void multiply(const PanelProduct& product) {
  switch (product.meanwhile.type) {
    case VectorType::f32:
      return multiply_while_decoding<VectorType::f32>(product);
    case VectorType::f16:
      return multiply_while_decoding<VectorType::f16>(product);
    case VectorType::bf16:
      return multiply_while_decoding<VectorType::bf16>(product);
    case VectorType::i8:
      return multiply_while_decoding<VectorType::i8>(product);
  }
}

}  // namespace

const DenseKernel kDenseAvx512 = {decode, dot, multiply, kLanes, kBlockRows};

}  // namespace fineprint::score

#endif
