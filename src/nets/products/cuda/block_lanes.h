// The work of one lane of a GPU on rows in blocks. These are plain functions, so that tests can run
// them on a CPU. A row is cut into strips of eight columns; lane l of 32 handles strips l, l + 32
// and so on.
#pragma once

#include <cstdint>

#include "fineprint/tensorfile/block_layouts.h"

#include "nets/products/blocks/codec.h"

namespace fineprint::nets::cuda {

inline constexpr int kLanes = 32;
inline constexpr int kStrip = 8;
inline constexpr int kRun = 16;  // columns that share a step

// Layouts of codes whose steps are stored separately. Their runs are those of the other layouts.
struct Grouped4 {
  static constexpr int kValues = 32, kBytes = 16;
  static constexpr int code(const std::uint8_t* block, int run, int i) {
    return tensorfile::nibble_of(block, run, i);
  }
};
struct Grouped8 {
  static constexpr int kValues = 32, kBytes = 32;
  static constexpr int code(const std::uint8_t* block, int run, int i) {
    return block[kRun * run + i] - 128;
  }
};

template <typename Layout>
inline constexpr bool kStepsApart = false;
template <>
inline constexpr bool kStepsApart<Grouped4> = true;
template <>
inline constexpr bool kStepsApart<Grouped8> = true;

// Widens the strip of a row that begins with `column` to float32.
template <typename Layout>
constexpr void widen_strip(const StoredBlocks& matrix, std::int64_t row, std::int64_t column,
                           float (&values)[kStrip]) {
  const std::uint8_t* block = matrix.blocks +
                              row * (matrix.columns / Layout::kValues) * Layout::kBytes +
                              column / Layout::kValues * Layout::kBytes;
  const int inside = static_cast<int>(column % Layout::kValues);
  const int run = inside / kRun, first = inside % kRun;
  tensorfile::RunScale scale;
  if constexpr (kStepsApart<Layout>) {
    const std::int64_t group = row * (matrix.columns / matrix.group) + column / matrix.group;
    scale = {matrix.steps[group], matrix.leasts[group]};
  } else {
    scale = Layout::scale(block, run);
  }
  for (int i = 0; i < kStrip; ++i) {
    const auto code = static_cast<float>(Layout::code(block, run, first + i));
    values[i] = scale.step * code + scale.least;
  }
}

// Writes this lane's strips of a row in another number format.
template <typename Layout, typename Number>
constexpr void widen_lane(const StoredBlocks& matrix, std::int64_t row, int lane, Number* out) {
  for (std::int64_t column = lane * kStrip; column < matrix.columns; column += kLanes * kStrip) {
    float values[kStrip];
    widen_strip<Layout>(matrix, row, column, values);
    for (int i = 0; i < kStrip; ++i) out[column + i] = static_cast<Number>(values[i]);
  }
}

// Adds this lane's part of the products of a row with `kVectors` vectors x [kVectors, columns].
template <typename Layout, int kVectors, typename Number>
constexpr void multiply_lane(const StoredBlocks& matrix, std::int64_t row, int lane,
                             const Number* x, float (&sums)[kVectors]) {
  for (std::int64_t column = lane * kStrip; column < matrix.columns; column += kLanes * kStrip) {
    float values[kStrip];
    widen_strip<Layout>(matrix, row, column, values);
    for (int v = 0; v < kVectors; ++v) {
      const Number* vector = x + v * matrix.columns + column;
      for (int i = 0; i < kStrip; ++i) sums[v] += values[i] * static_cast<float>(vector[i]);
    }
  }
}

// Calls `use(Layout())` with the layout of a codec.
template <typename Use>
void with_layout(Codec codec, Use use) {
  switch (codec) {
    case Codec::q4_0:
      return use(tensorfile::Q40());
    case Codec::q4_1:
      return use(tensorfile::Q41());
    case Codec::q5_0:
      return use(tensorfile::Q50());
    case Codec::q5_1:
      return use(tensorfile::Q51());
    case Codec::q8_0:
      return use(tensorfile::Q80());
    case Codec::q2_k:
      return use(tensorfile::Q2K());
    case Codec::q3_k:
      return use(tensorfile::Q3K());
    case Codec::q4_k:
      return use(tensorfile::Q4K());
    case Codec::q5_k:
      return use(tensorfile::Q5K());
    case Codec::q6_k:
      return use(tensorfile::Q6K());
    case Codec::iq4_nl:
      return use(tensorfile::Iq4Nl());
    case Codec::iq4_xs:
      return use(tensorfile::Iq4Xs());
    case Codec::mxfp4:
      return use(tensorfile::Mxfp4());
    case Codec::grouped4:
      return use(Grouped4());
    case Codec::grouped8:
      return use(Grouped8());
  }
}

}  // namespace fineprint::nets::cuda
