// Resizes 8-bit pictures in two passes of fixed-point multiply-adds.
#include "fineprint/image/resample.h"

#include <algorithm>
#include <cstring>

#include <opencv2/core/hal/intrin.hpp>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

#include "image/pixels.h"
#include "image/resample_weights.h"

namespace fineprint::image {
namespace {

constexpr int kMaxResampledSide = 1 << 20;
constexpr int kLanes = 4;           // numbers per pixel in the horizontal pass: RGB and a zero
constexpr std::size_t kBlock = 16;  // bytes of a row that the vertical pass processes at once

// Rows of RGB with spare bytes at their ends, so that blocks never reach beyond a row.
struct PaddedRows {
  PaddedRows(int row_width, int row_count)
      : width(row_width),
        count(row_count),
        stride((static_cast<std::size_t>(row_width) * 3 + kBlock) / kBlock * kBlock + kBlock),
        bytes(stride * static_cast<std::size_t>(row_count)) {}
  std::uint8_t* row(int y) { return &bytes[stride * static_cast<std::size_t>(y)]; }
  const std::uint8_t* row(int y) const { return &bytes[stride * static_cast<std::size_t>(y)]; }

  int width, count;
  std::size_t stride;
  std::vector<std::uint8_t> bytes;
};

// Returns a pair of 16-bit weights in all lanes.
cv::v_int16x8 both(std::int32_t pair) { return cv::v_reinterpret_as_s16(cv::v_setall_s32(pair)); }

// Turns fixed-point numbers into whole numbers. Values outside 0 to 255 are clamped later, when
// they are packed.
template <bool kSplit>
cv::v_int32x4 whole(cv::v_int32x4 low, cv::v_int32x4 high, int precision) {
  if constexpr (kSplit) low = low + (high << 8);
  return low >> precision;
}

// --- along rows ---

// Spreads RGB bytes to kLanes 16-bit numbers per pixel. The fourth stays 0.
void widen(const std::uint8_t* rgb, int width, std::int16_t* out) {
  for (int x = 0; x < width; ++x) {
    for (int c = 0; c < 3; ++c) out[x * kLanes + c] = rgb[x * 3 + c];
  }
}

// Resizes one row. `source` holds a row of 16-bit pixels and one pixel more; `out` ends with spare
// bytes, because each pixel is written as four bytes.
template <bool kSplit>
void resize_row(const std::int16_t* source, const FixedWeights& weights, std::uint8_t* out) {
  const cv::v_int32x4 half = cv::v_setall_s32(1 << (weights.precision - 1));
  for (std::size_t x = 0; x < weights.begin.size(); ++x) {
    const std::int16_t* pixels = source + static_cast<std::size_t>(weights.begin[x]) * kLanes;
    const std::size_t first = x * static_cast<std::size_t>(weights.pairs);
    cv::v_int32x4 low = half, high = cv::v_setzero_s32();
    for (std::size_t k = 0; k < static_cast<std::size_t>(weights.used[x]); ++k) {
      cv::v_int16x8 pair, unused;  // r0 r1 g0 g1 b0 b1 0 0
      cv::v_zip(cv::v_load_low(pixels + k * 2 * kLanes),
                cv::v_load_low(pixels + (k * 2 + 1) * kLanes), pair, unused);
      low = cv::v_dotprod(pair, both(weights.low[first + k]), low);
      if constexpr (kSplit) high = cv::v_dotprod(pair, both(weights.high[first + k]), high);
    }
    const cv::v_int32x4 sum = whole<kSplit>(low, high, weights.precision);
    const cv::v_int16x8 narrow = cv::v_pack(sum, sum);
    const cv::v_int32x4 bytes = cv::v_reinterpret_as_s32(cv::v_pack_u(narrow, narrow));
    const std::int32_t pixel = bytes.get0();
    std::memcpy(out + x * 3, &pixel, sizeof pixel);
  }
}

PaddedRows resize_rows(const Image& image, int width, Filter filter, Arithmetic arithmetic) {
  PaddedRows rows(width, image.height);
  // A pass that changes nothing is skipped, as in the reproduced libraries.
  if (width == image.width) {
    for (int y = 0; y < image.height; ++y) std::memcpy(rows.row(y), image.row(y), image.stride());
    return rows;
  }
  const FixedWeights weights = fixed_weights(image.width, width, filter, arithmetic);
  std::vector<std::int16_t> wide((static_cast<std::size_t>(image.width) + 1) * kLanes);
  const auto resize = weights.split ? resize_row<true> : resize_row<false>;
  for (int y = 0; y < image.height; ++y) {
    widen(image.row(y), image.width, wide.data());
    resize(wide.data(), weights, rows.row(y));
  }
  return rows;
}

// --- along columns ---

// The sums of 16 neighbouring bytes.
struct BlockSums {
  explicit BlockSums(std::int32_t start) {
    for (cv::v_int32x4& sum : sums) sum = cv::v_setall_s32(start);
  }
  cv::v_int32x4 sums[4];
};

// The same 16 bytes of two rows as pairs of 16-bit numbers.
struct BlockPairs {
  BlockPairs(const std::uint8_t* first, const std::uint8_t* second) {
    cv::v_uint8x16 left, right;
    cv::v_zip(cv::v_load(first), cv::v_load(second), left, right);
    cv::v_uint16x8 wide[4];
    cv::v_expand(left, wide[0], wide[1]);
    cv::v_expand(right, wide[2], wide[3]);
    for (int i = 0; i < 4; ++i) pairs[i] = cv::v_reinterpret_as_s16(wide[i]);
  }
  void add(std::int32_t weights, BlockSums* to) const {
    for (int i = 0; i < 4; ++i) to->sums[i] = cv::v_dotprod(pairs[i], both(weights), to->sums[i]);
  }
  cv::v_int16x8 pairs[4];
};

template <bool kSplit>
void finish_block(BlockSums low, const BlockSums& high, int precision, std::uint8_t* out) {
  for (int i = 0; i < 4; ++i) {
    low.sums[i] = whole<kSplit>(low.sums[i], high.sums[i], precision);
  }
  cv::v_store(out, cv::v_pack_u(cv::v_pack(low.sums[0], low.sums[1]),
                                cv::v_pack(low.sums[2], low.sums[3])));
}

// Computes one row of the result in complete blocks.
template <bool kSplit>
void blend_rows(const PaddedRows& rows, const FixedWeights& weights, std::size_t y,
                std::uint8_t* out) {
  const std::size_t first = y * static_cast<std::size_t>(weights.pairs);
  const int last_row = rows.count - 1;
  for (std::size_t x = 0; x < static_cast<std::size_t>(rows.width) * 3; x += kBlock) {
    BlockSums low(1 << (weights.precision - 1)), high(0);
    for (int k = 0; k < weights.used[y]; ++k) {
      const int above = weights.begin[y] + 2 * k;
      // The second row of the last pair may not exist; its weight is 0.
      const BlockPairs pairs(rows.row(above) + x, rows.row(std::min(above + 1, last_row)) + x);
      pairs.add(weights.low[first + static_cast<std::size_t>(k)], &low);
      if constexpr (kSplit) pairs.add(weights.high[first + static_cast<std::size_t>(k)], &high);
    }
    finish_block<kSplit>(low, high, weights.precision, out + x);
  }
}

Image resize_columns(const PaddedRows& rows, int height, Filter filter, Arithmetic arithmetic) {
  Image out{.width = rows.width, .height = height, .channels = 3, .pixels = {}};
  out.pixels.resize(out.stride() * static_cast<std::size_t>(height));
  if (height == rows.count) {
    for (int y = 0; y < height; ++y) std::memcpy(out.row(y), rows.row(y), out.stride());
    return out;
  }
  const FixedWeights weights = fixed_weights(rows.count, height, filter, arithmetic);
  const auto blend = weights.split ? blend_rows<true> : blend_rows<false>;
  std::vector<std::uint8_t> padded(rows.stride);
  for (int y = 0; y < height; ++y) {
    blend(rows, weights, static_cast<std::size_t>(y), padded.data());
    std::memcpy(out.row(y), padded.data(), out.stride());
  }
  return out;
}

}  // namespace

Image resample(const Image& rgb, int width, int height, Filter filter, Arithmetic arithmetic) {
  check_whole(rgb);
  if (rgb.channels != 3) throw Error(ErrorCode::internal, "only RGB pictures can be resampled");
  if (std::min(width, height) <= 0 ||
      std::max({width, height, rgb.width, rgb.height}) > kMaxResampledSide) {
    throw Error(ErrorCode::input, format("cannot resize a picture of {} x {} pixels to {} x {}",
                                         rgb.width, rgb.height, width, height));
  }
  return resize_columns(resize_rows(rgb, width, filter, arithmetic), height, filter, arithmetic);
}

}  // namespace fineprint::image
