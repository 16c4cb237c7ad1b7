// Products with rounded vectors in AVX-512's dot products of bfloat16.
#if defined(__x86_64__)

#if !defined(__clang__)
// gcc 12 warns about variables of its own header, which leaves them undefined on purpose.
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif
#include <algorithm>
#include <cstring>
#include <utility>

#include <immintrin.h>

#include "nets/products/rounded_kernel.h"

#define FINEPRINT_TARGET __attribute__((target("avx512f,avx512bw,avx512bf16")))

namespace fineprint::nets {
namespace {

// Two registers of rows times 12 vectors are 24 sums; the other eight of the 32 registers hold rows
// and a vector.
constexpr std::int64_t kGroup = 12;
constexpr std::int64_t kLanes = 16;
static_assert(kRoundedPanel == 2 * kLanes && kChunk == kLanes);
// Pairs of columns in a panel: 128 kB, which stay in the second-level cache while all vectors are
// multiplied.
constexpr std::int64_t kPanelPairs = 1024;
// Bytes that each row is prefetched ahead.
constexpr std::int64_t kAhead = 512;
// Chunks that the vectors are prefetched ahead, because many long ones are in the third-level
// cache.
constexpr std::int64_t kChunksAhead = 4;

// Some rows of the matrix, transposed so that one register holds a pair of columns of 16 rows.
struct Panel {
  alignas(64) std::uint32_t words[kPanelPairs * kRoundedPanel];  // [pairs, rows]
  alignas(64) float bias[kRoundedPanel];
  std::int64_t rows = 0;    // rows that exist; the others are 0
  std::int64_t chunks = 0;  // of kChunk pairs
  bool first = true;        // first piece of the columns
};

// Returns a mask of the first `count` lanes.
FINEPRINT_TARGET inline __mmask16 lanes_below(std::int64_t count) {
  return static_cast<__mmask16>((1U << std::clamp<std::int64_t>(count, 0, kLanes)) - 1);
}

// Transposes 16 registers of 16 words.
FINEPRINT_TARGET inline __attribute__((always_inline)) void turn(__m512i (&r)[kLanes]) {
  __m512i pairs[kLanes], fours[kLanes];
#pragma GCC unroll 16
  for (int i = 0; i < 16; i += 2) {
    pairs[i] = _mm512_unpacklo_epi32(r[i], r[i + 1]);
    pairs[i + 1] = _mm512_unpackhi_epi32(r[i], r[i + 1]);
  }
  // fours[i + j], quarter q: word 4 q + j of the rows i to i + 3.
#pragma GCC unroll 16
  for (int i = 0; i < 16; i += 4) {
    fours[i] = _mm512_unpacklo_epi64(pairs[i], pairs[i + 2]);
    fours[i + 1] = _mm512_unpackhi_epi64(pairs[i], pairs[i + 2]);
    fours[i + 2] = _mm512_unpacklo_epi64(pairs[i + 1], pairs[i + 3]);
    fours[i + 3] = _mm512_unpackhi_epi64(pairs[i + 1], pairs[i + 3]);
  }
#pragma GCC unroll 16
  for (int j = 0; j < 4; ++j) {
    const __m512i even = _mm512_shuffle_i32x4(fours[j], fours[4 + j], 0x88);
    const __m512i more_even = _mm512_shuffle_i32x4(fours[8 + j], fours[12 + j], 0x88);
    const __m512i odd = _mm512_shuffle_i32x4(fours[j], fours[4 + j], 0xDD);
    const __m512i more_odd = _mm512_shuffle_i32x4(fours[8 + j], fours[12 + j], 0xDD);
    r[j] = _mm512_shuffle_i32x4(even, more_even, 0x88);
    r[4 + j] = _mm512_shuffle_i32x4(odd, more_odd, 0x88);
    r[8 + j] = _mm512_shuffle_i32x4(even, more_even, 0xDD);
    r[12 + j] = _mm512_shuffle_i32x4(odd, more_odd, 0xDD);
  }
}

// Transposes 16 rows from one column on. `rows` of them exist, and `columns` columns are left.
FINEPRINT_TARGET void fill_half(const std::uint16_t* from, std::int64_t row_values,
                                std::int64_t rows, std::int64_t columns, std::int64_t chunks,
                                std::uint32_t* to) {
  for (std::int64_t chunk = 0; chunk < chunks; ++chunk) {
    const std::int64_t left = std::clamp<std::int64_t>(columns - 2 * kChunk * chunk, 0, 2 * kChunk);
    const auto there = static_cast<__mmask32>((std::uint64_t{1} << left) - 1);
    __m512i r[kLanes];
    for (std::int64_t i = 0; i < kLanes; ++i) {
      const std::uint16_t* row = from + i * row_values + 2 * kChunk * chunk;
      r[i] = i < rows ? _mm512_maskz_loadu_epi16(there, row) : _mm512_setzero_si512();
      if (i < rows) __builtin_prefetch(reinterpret_cast<const char*>(row) + kAhead);
    }
    turn(r);
#pragma GCC unroll 16
    for (std::int64_t i = 0; i < kLanes; ++i) {
      _mm512_store_si512(to + (chunk * kChunk + i) * kRoundedPanel, r[i]);
    }
  }
}

void fill(const StoredMatrix& weight, std::int64_t row, std::int64_t pair, Panel* panel) {
  const auto* from =
      static_cast<const std::uint16_t*>(weight.values) + row * weight.row_values + 2 * pair;
  for (std::int64_t half = 0; half < kRoundedPanel; half += kLanes) {
    fill_half(from + half * weight.row_values, weight.row_values, panel->rows - half,
              weight.columns - 2 * pair, panel->chunks, panel->words + half);
  }
}

// y [kVectors, panel's rows] += a group of vectors times the panel.
template <int kVectors>
FINEPRINT_TARGET void multiply_group(const Panel& panel, const std::uint32_t* x, float* y,
                                     std::int64_t row_length) {
  // The first piece begins with the bias; later pieces go on from the sums in y.
  const __mmask16 low_rows = lanes_below(panel.rows), high_rows = lanes_below(panel.rows - kLanes);
  __m512 low[kVectors], high[kVectors];
#pragma GCC unroll 16
  for (int v = 0; v < kVectors; ++v) {
    const float* sums = y + v * row_length;
    low[v] = panel.first ? _mm512_load_ps(panel.bias) : _mm512_maskz_loadu_ps(low_rows, sums);
    high[v] = panel.first ? _mm512_load_ps(panel.bias + kLanes)
                          : _mm512_maskz_loadu_ps(high_rows, sums + kLanes);
  }
  const std::uint32_t* words = panel.words;
  for (std::int64_t chunk = 0; chunk < panel.chunks; ++chunk) {
#pragma GCC unroll 4
    for (std::int64_t pair = 0; pair < kChunk; ++pair) {
      const auto low_words = reinterpret_cast<__m512bh>(_mm512_load_si512(words));
      const auto high_words = reinterpret_cast<__m512bh>(_mm512_load_si512(words + kLanes));
      words += kRoundedPanel;
      __builtin_prefetch(x + (kChunksAhead * kVectors + pair) * kChunk);
#pragma GCC unroll 16
      for (int v = 0; v < kVectors; ++v) {
        const auto both = static_cast<int>(x[v * kChunk + pair]);
        const auto values = reinterpret_cast<__m512bh>(_mm512_set1_epi32(both));
        low[v] = _mm512_dpbf16_ps(low[v], low_words, values);
        high[v] = _mm512_dpbf16_ps(high[v], high_words, values);
      }
    }
    x += kVectors * kChunk;
  }
#pragma GCC unroll 16
  for (int v = 0; v < kVectors; ++v) {
    _mm512_mask_storeu_ps(y + v * row_length, low_rows, low[v]);
    _mm512_mask_storeu_ps(y + v * row_length + kLanes, high_rows, high[v]);
  }
}

using GroupProduct = void (*)(const Panel&, const std::uint32_t*, float*, std::int64_t);

template <std::size_t... kIndex>
GroupProduct product_of(std::int64_t vectors, std::index_sequence<kIndex...>) {
  static constexpr GroupProduct kProducts[] = {multiply_group<kIndex + 1>...};
  return kProducts[vectors - 1];
}

void multiply_panel(const RoundedProduct& product, std::int64_t row, std::int64_t pair,
                    const Panel& panel) {
  const std::int64_t groups = group_count(product.vectors, kGroup);
  const std::int64_t words = rounded_words(product.weight.columns);
  for (std::int64_t group = 0; group < groups; ++group) {
    const std::int64_t first = group_begin(product.vectors, groups, group);
    const std::int64_t count = group_begin(product.vectors, groups, group + 1) - first;
    const GroupProduct multiply = product_of(count, std::make_index_sequence<kGroup>());
    multiply(panel, product.x + first * words + pair * count,
             product.y + first * product.weight.rows + row, product.weight.rows);
  }
}

void multiply(const RoundedProduct& product, std::int64_t begin, std::int64_t end) {
  const std::int64_t pairs = rounded_words(product.weight.columns);
  const std::int64_t pieces = std::max<std::int64_t>(1, group_count(pairs, kPanelPairs));
  const std::int64_t depth = group_count(pairs, pieces * kChunk) * kChunk;
  Panel panel;
  for (std::int64_t row = begin; row < end; row += kRoundedPanel) {
    panel.rows = std::min(kRoundedPanel, end - row);
    std::fill_n(panel.bias, kRoundedPanel, 0.0F);
    if (product.bias != nullptr) std::copy_n(product.bias + row, panel.rows, panel.bias);
    for (std::int64_t piece = 0; piece < pieces; ++piece) {
      const std::int64_t pair = piece * depth;
      panel.first = piece == 0;
      panel.chunks = std::max<std::int64_t>(0, std::min(depth, pairs - pair)) / kChunk;
      fill(product.weight, row, pair, &panel);
      multiply_panel(product, row, pair, panel);
    }
  }
}

// Rounds one group of vectors. Two columns share a word, in the order that the dot products need.
FINEPRINT_TARGET void round_group(const float* x, std::int64_t vectors, std::int64_t columns,
                                  std::uint32_t* out) {
  for (std::int64_t c = 0; c < columns; c += 2 * kChunk) {
    const __mmask16 low = lanes_below(columns - c), high = lanes_below(columns - c - kLanes);
    for (std::int64_t v = 0; v < vectors; ++v, out += kChunk) {
      const float* from = x + v * columns + c;
      const __m512bh rounded = _mm512_cvtne2ps_pbh(_mm512_maskz_loadu_ps(high, from + kLanes),
                                                   _mm512_maskz_loadu_ps(low, from));
      _mm512_store_si512(out, reinterpret_cast<__m512i>(rounded));
    }
  }
}

}  // namespace

const RoundedKernel kRoundedAvx512 = {kGroup, round_group, multiply};

}  // namespace fineprint::nets

#endif
