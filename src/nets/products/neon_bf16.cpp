// Products with rounded vectors in NEON's dot products of bfloat16.
#if defined(__aarch64__)

#include <algorithm>
#include <cstring>
#include <utility>

#include <arm_neon.h>

#include "nets/products/rounded_kernel.h"

#define FINEPRINT_TARGET __attribute__((target("+bf16")))

namespace fineprint::nets {
namespace {

// Four registers of rows times 6 vectors are 24 sums; the other eight of the 32 registers hold rows
// and a vector.
constexpr std::int64_t kGroup = 6;
constexpr std::int64_t kQuads = 4;  // registers of rows
constexpr std::int64_t kRows = 4 * kQuads;
static_assert(kRoundedPanel % kRows == 0 && kChunk % 4 == 0);
// Pairs of columns in a panel: 64 kB, which stay in the second-level cache while all vectors are
// multiplied.
constexpr std::int64_t kPanelPairs = 512;
// Bytes that each row is prefetched ahead.
constexpr std::int64_t kAhead = 512;

// Some rows of the matrix, transposed so that a register holds a pair of columns of four rows.
struct Panel {
  alignas(64) std::uint32_t words[kPanelPairs * kRoundedPanel];  // [pairs, rows]
  alignas(64) float bias[kRoundedPanel];
  std::int64_t rows = 0;    // rows that exist; the others are 0
  std::int64_t chunks = 0;  // of kChunk pairs
  bool first = true;        // first piece of the columns
};

// Transposes four words of four rows.
inline void turn(const std::uint32_t* const (&rows)[4], std::int64_t word, std::uint32_t* to) {
  const uint32x4_t a = vld1q_u32(rows[0] + word), b = vld1q_u32(rows[1] + word);
  const uint32x4_t c = vld1q_u32(rows[2] + word), d = vld1q_u32(rows[3] + word);
  const uint64x2_t ab_even = vreinterpretq_u64_u32(vtrn1q_u32(a, b));
  const uint64x2_t ab_odd = vreinterpretq_u64_u32(vtrn2q_u32(a, b));
  const uint64x2_t cd_even = vreinterpretq_u64_u32(vtrn1q_u32(c, d));
  const uint64x2_t cd_odd = vreinterpretq_u64_u32(vtrn2q_u32(c, d));
  vst1q_u32(to, vreinterpretq_u32_u64(vtrn1q_u64(ab_even, cd_even)));
  vst1q_u32(to + kRoundedPanel, vreinterpretq_u32_u64(vtrn1q_u64(ab_odd, cd_odd)));
  vst1q_u32(to + 2 * kRoundedPanel, vreinterpretq_u32_u64(vtrn2q_u64(ab_even, cd_even)));
  vst1q_u32(to + 3 * kRoundedPanel, vreinterpretq_u32_u64(vtrn2q_u64(ab_odd, cd_odd)));
}

// Fills the panel from row `row` and pair of columns `pair` of the matrix on. Rows and columns
// that do not exist are 0, and nothing after the matrix is read.
void fill(const StoredMatrix& weight, std::int64_t row, std::int64_t pair, Panel* panel) {
  const auto* from =
      static_cast<const std::uint16_t*>(weight.values) + row * weight.row_values + 2 * pair;
  for (std::int64_t chunk = 0; chunk < panel->chunks; ++chunk) {
    const std::int64_t column = 2 * kChunk * chunk;
    const auto bytes = static_cast<std::size_t>(
        2 * std::clamp<std::int64_t>(weight.columns - 2 * pair - column, 0, 2 * kChunk));
    for (std::int64_t first = 0; first < kRoundedPanel; first += 4) {
      std::uint32_t words[4][kChunk] = {};
      for (std::int64_t r = 0; r < std::min<std::int64_t>(4, panel->rows - first); ++r) {
        const std::uint16_t* values = from + (first + r) * weight.row_values + column;
        __builtin_prefetch(reinterpret_cast<const char*>(values) + kAhead);
        std::memcpy(words[r], values, bytes);
      }
      for (std::int64_t word = 0; word < kChunk; word += 4) {
        turn({words[0], words[1], words[2], words[3]}, word,
             panel->words + (chunk * kChunk + word) * kRoundedPanel + first);
      }
    }
  }
}

// y [kVectors, kRows] += a group of vectors times some rows of the panel, from `row` on.
template <int kVectors>
FINEPRINT_TARGET void multiply_rows(const Panel& panel, std::int64_t row, const std::uint32_t* x,
                                    float* y, std::int64_t row_length) {
  const auto there = static_cast<std::size_t>(std::clamp<std::int64_t>(panel.rows - row, 0, kRows));
  float32x4_t sums[kVectors][kQuads];
  for (int v = 0; v < kVectors; ++v) {
    // The first piece begins with the bias; later pieces go on from the sums in y.
    float begin[kRows] = {};
    const float* from = panel.first ? panel.bias + row : y + v * row_length + row;
    std::copy_n(from, there, begin);
    for (std::int64_t q = 0; q < kQuads; ++q) sums[v][q] = vld1q_f32(begin + 4 * q);
  }
  const std::uint32_t* words = panel.words + row;
  for (std::int64_t chunk = 0; chunk < panel.chunks; ++chunk, x += kVectors * kChunk) {
    for (std::int64_t pair = 0; pair < kChunk; ++pair, words += kRoundedPanel) {
      bfloat16x8_t rows[kQuads];
#pragma GCC unroll 4
      for (std::int64_t q = 0; q < kQuads; ++q) {
        rows[q] = vreinterpretq_bf16_u32(vld1q_u32(words + 4 * q));
      }
#pragma GCC unroll 6
      for (int v = 0; v < kVectors; ++v) {
        const bfloat16x8_t both = vreinterpretq_bf16_u32(vdupq_n_u32(x[v * kChunk + pair]));
#pragma GCC unroll 4
        for (std::int64_t q = 0; q < kQuads; ++q) {
          sums[v][q] = vbfdotq_f32(sums[v][q], rows[q], both);
        }
      }
    }
  }
  for (int v = 0; v < kVectors; ++v) {
    float end[kRows];
    for (std::int64_t q = 0; q < kQuads; ++q) vst1q_f32(end + 4 * q, sums[v][q]);
    std::copy_n(end, there, y + v * row_length + row);
  }
}

using RowsTimesGroup = void (*)(const Panel&, std::int64_t, const std::uint32_t*, float*,
                                std::int64_t);

template <std::size_t... kIndex>
RowsTimesGroup product_of(std::int64_t vectors, std::index_sequence<kIndex...>) {
  static constexpr RowsTimesGroup kProducts[] = {multiply_rows<kIndex + 1>...};
  return kProducts[vectors - 1];
}

void multiply_panel(const RoundedProduct& product, std::int64_t row, std::int64_t pair,
                    const Panel& panel) {
  const std::int64_t groups = group_count(product.vectors, kGroup);
  const std::int64_t words = rounded_words(product.weight.columns);
  for (std::int64_t group = 0; group < groups; ++group) {
    const std::int64_t first = group_begin(product.vectors, groups, group);
    const std::int64_t count = group_begin(product.vectors, groups, group + 1) - first;
    const RowsTimesGroup multiply = product_of(count, std::make_index_sequence<kGroup>());
    for (std::int64_t part = 0; part < panel.rows; part += kRows) {
      multiply(panel, part, product.x + first * words + pair * count,
               product.y + first * product.weight.rows + row, product.weight.rows);
    }
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
    const std::int64_t there = std::min(columns - c, 2 * kChunk);
    for (std::int64_t v = 0; v < vectors; ++v, out += kChunk) {
      float values[2 * kChunk] = {};
      std::copy_n(x + v * columns + c, there, values);
      for (std::int64_t i = 0; i < 2 * kChunk; i += 8) {
        const bfloat16x8_t low = vcvtq_low_bf16_f32(vld1q_f32(values + i));
        const bfloat16x8_t both = vcvtq_high_bf16_f32(low, vld1q_f32(values + i + 4));
        vst1q_u32(out + i / 2, vreinterpretq_u32_bf16(both));
      }
    }
  }
}

}  // namespace

const RoundedKernel kRoundedNeon = {kGroup, round_group, multiply};

}  // namespace fineprint::nets

#endif
