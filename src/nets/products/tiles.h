// Multiplies a few rows by a few vectors (a tile), and cuts a matrix into tiles. The file of each
// instruction set includes this once, after it has defined FINEPRINT_TARGET and the type `Set` of
// its registers and their operations.
#include <algorithm>
#include <cstring>
#include <utility>

#include "nets/products/kernel.h"

namespace fineprint::nets {
namespace {

// Rows are read in cache lines.
constexpr std::int64_t kLine = 64;
// Bytes that rows are prefetched ahead; reading was fastest with this distance.
constexpr std::int64_t kAhead = 2048;
// Vectors that share one pass over the matrix, and the values of their pieces that stay in the
// second-level cache during it: 384 kB in all.
constexpr std::int64_t kBlockVectors = 32;
constexpr std::int64_t kBlockValues = std::int64_t{96} << 10;
// Rows whose sums are kept from one piece to the next.
constexpr std::int64_t kPanelRows = 48;

// A tile: its inputs, outputs and sizes.
struct Tile {
  const std::uint8_t* weight = nullptr;  // the first row, at the piece's first column
  std::int64_t row_bytes = 0;
  const float* scales = nullptr;  // of the first row and group; int8 only
  std::int64_t row_scales = 0;
  const float* x = nullptr;  // [chunks, kVectors, kChunk]
  std::int64_t lines = 0;    // full lines of each row
  std::int64_t tail = 0;     // bytes after them
  float* sums = nullptr;     // [rows, kVectors, kLanes], between pieces
  bool first = true, last = true;
  const float* bias = nullptr;  // of the first row
  float* y = nullptr;           // of the first row and vector
  std::int64_t row_step = 1;    // from one row of the tile to the next, in y and the bias
  std::int64_t row_length = 0;  // of y
};

template <MatrixFormat kFormat>
constexpr std::int64_t kLineValues = kLine / value_bytes(kFormat);

// sums[r][v] += row r times vector v over one cache line.
template <MatrixFormat kFormat, int kRows, int kVectors>
FINEPRINT_TARGET inline __attribute__((always_inline)) void add_line(
    const std::uint8_t* weight, std::int64_t row_bytes, const float* scales,
    std::int64_t row_scales, const float* x, Set::Lanes (&sums)[kRows][kVectors]) {
#pragma GCC unroll 16
  for (std::int64_t i = 0; i < kLineValues<kFormat>; i += Set::kLanes) {
    typename Set::Lanes rows[kRows];
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) {
      const std::uint8_t* values = weight + r * row_bytes + i * value_bytes(kFormat);
      rows[r] = Set::template widened<kFormat>(values);
      if constexpr (kFormat == MatrixFormat::int8) {
        rows[r] = Set::times(rows[r], Set::all(scales[r * row_scales]));
      }
    }
#pragma GCC unroll 16
    for (int v = 0; v < kVectors; ++v) {
      const typename Set::Lanes vector =
          Set::load(x + (i / kChunk * kVectors + v) * kChunk + i % kChunk);
#pragma GCC unroll 16
      for (int r = 0; r < kRows; ++r) sums[r][v] = Set::add_product(rows[r], vector, sums[r][v]);
    }
  }
}

template <MatrixFormat kFormat, int kRows, int kVectors>
FINEPRINT_TARGET inline __attribute__((always_inline)) void add_tail(
    const Tile& tile, const std::uint8_t* weight, const float* x,
    Set::Lanes (&sums)[kRows][kVectors]) {
  // The end of a row is copied into a line of zeros, so that nothing after the matrix is read.
  alignas(kLine) std::uint8_t lines[kRows][kLine] = {};
  for (int r = 0; r < kRows; ++r) {
    std::memcpy(lines[r], weight + r * tile.row_bytes, static_cast<std::size_t>(tile.tail));
  }
  add_line<kFormat>(lines[0], kLine, nullptr, 0, x, sums);
}

template <MatrixFormat kFormat, int kRows, int kVectors>
FINEPRINT_TARGET void multiply_tile(const Tile& tile) {
  typename Set::Lanes sums[kRows][kVectors];
#pragma GCC unroll 16
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 16
    for (int v = 0; v < kVectors; ++v) {
      sums[r][v] =
          tile.first ? Set::all(0.0F) : Set::load(tile.sums + (r * kVectors + v) * Set::kLanes);
    }
  }
  const std::uint8_t* weight = tile.weight;
  const float* x = tile.x;
  const float* scales = tile.scales;
  for (std::int64_t line = 0; line < tile.lines; ++line) {
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) __builtin_prefetch(weight + r * tile.row_bytes + kAhead);
    add_line<kFormat>(weight, tile.row_bytes, scales, tile.row_scales, x, sums);
    weight += kLine;
    x += kLineValues<kFormat> * kVectors;
    if constexpr (kFormat == MatrixFormat::int8) ++scales;
  }
  if constexpr (kFormat != MatrixFormat::int8) {
    if (tile.tail > 0) add_tail<kFormat>(tile, weight, x, sums);
  }
#pragma GCC unroll 16
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 16
    for (int v = 0; v < kVectors; ++v) {
      if (!tile.last) {
        Set::store(tile.sums + (r * kVectors + v) * Set::kLanes, sums[r][v]);
      } else {
        const float sum = Set::sum(sums[r][v]);
        tile.y[v * tile.row_length + r * tile.row_step] =
            tile.bias == nullptr ? sum : sum + tile.bias[r * tile.row_step];
      }
    }
  }
}

using TileProduct = void (*)(const Tile&);

// The tiles for one number of vectors: with the rows that suit it, with the rows that suit one
// vector more, and with a single row.
struct TileShape {
  TileProduct own = nullptr, wider = nullptr, single = nullptr;
  std::int64_t rows = 0;
};

template <MatrixFormat kFormat, std::size_t... kIndex>
TileShape shape_of(std::int64_t vectors, std::index_sequence<kIndex...>) {
  static constexpr TileShape shapes[] = {
      {multiply_tile<kFormat, Set::rows_beside(kIndex + 1), kIndex + 1>,
       multiply_tile<kFormat, Set::rows_beside(kIndex + 2), kIndex + 1>,
       multiply_tile<kFormat, 1, kIndex + 1>, Set::rows_beside(kIndex + 1)}...};
  return shapes[vectors - 1];
}

// One group of vectors, and its tiles.
struct Group {
  std::int64_t first = 0, count = 0;
  TileProduct whole = nullptr, single = nullptr;
};

// The product of some groups of vectors and rows of the matrix. The rows of a tile are far apart,
// so that each one belongs to a stream of rows, which is read from beginning to end.
template <MatrixFormat kFormat>
class BlockProduct {
 public:
  BlockProduct(const Product& product, std::int64_t first_group, std::int64_t end_group,
               std::int64_t groups)
      : product_(product), row_bytes_(product.weight.row_values * value_bytes(kFormat)) {
    for (std::int64_t g = first_group; g < end_group; ++g) {
      Group& group = groups_[count_++];
      group.first = group_begin(product.vectors, groups, g);
      group.count = group_begin(product.vectors, groups, g + 1) - group.first;
      const TileShape shape =
          shape_of<kFormat>(group.count, std::make_index_sequence<Set::kGroup>());
      // Groups never grow, and their sizes differ by at most one.
      if (count_ == 1) rows_ = shape.rows;
      group.whole = group.count == groups_[0].count ? shape.own : shape.wider;
      group.single = shape.single;
      vectors_ += group.count;
    }
  }

  void multiply(std::int64_t begin, std::int64_t end) {
    // Pieces are needed only if several groups share a pass: the vectors must stay in the cache.
    const std::int64_t columns = product_.weight.columns;
    const std::int64_t pieces =
        count_ == 1 ? 1 : std::max<std::int64_t>(1, (vectors_ * columns - 1) / kBlockValues + 1);
    const std::int64_t depth =
        std::max(arranged_columns((columns + pieces - 1) / pieces), kCodesPerScale);
    const std::int64_t panel = pieces == 1 ? std::max<std::int64_t>(end - begin, 1) : kPanelRows;
    for (std::int64_t row = begin; row < end; row += panel) {
      for (std::int64_t column = 0; column == 0 || column < columns; column += depth) {
        multiply_piece(row, std::min(end, row + panel), column, depth);
      }
    }
  }

 private:
  void multiply_piece(std::int64_t begin, std::int64_t end, std::int64_t column,
                      std::int64_t depth) {
    const StoredMatrix& weight = product_.weight;
    std::int64_t bytes = std::min(depth, weight.columns - column) * value_bytes(kFormat);
    if (kFormat == MatrixFormat::int8) bytes = arranged_columns(bytes);
    Tile tile;
    tile.lines = bytes / kLine;
    tile.tail = bytes % kLine;
    tile.first = column == 0;
    tile.last = column + depth >= weight.columns;
    tile.row_length = weight.rows;
    tile.sums = sums_;
    const std::int64_t stream = (end - begin) / rows_;
    tile.row_step = stream;
    tile.row_bytes = stream * row_bytes_;
    tile.row_scales = stream * (weight.row_values / kCodesPerScale);
    for (std::int64_t row = begin; row < begin + stream; ++row) {
      multiply_tiles(row, column, rows_, &tile);
    }
    for (std::int64_t row = begin + stream * rows_; row < end; ++row) {
      multiply_tiles(row, column, 1, &tile);
    }
  }

  void multiply_tiles(std::int64_t row, std::int64_t column, std::int64_t rows, Tile* tile) {
    const StoredMatrix& weight = product_.weight;
    tile->weight = static_cast<const std::uint8_t*>(weight.values) + row * row_bytes_ +
                   column * value_bytes(kFormat);
    if (kFormat == MatrixFormat::int8) {
      tile->scales = weight.scales + (row * weight.row_values + column) / kCodesPerScale;
    }
    tile->bias = product_.bias == nullptr ? nullptr : product_.bias + row;
    for (std::int64_t g = 0; g < count_; ++g) {
      const Group& group = groups_[g];
      tile->x = product_.x + group.first * arranged_columns(weight.columns) + column * group.count;
      tile->y = product_.y + group.first * weight.rows + row;
      (rows == 1 ? group.single : group.whole)(*tile);
      if (!tile->first || !tile->last) tile->sums += rows * group.count * Set::kLanes;
    }
  }

  const Product& product_;
  std::int64_t row_bytes_ = 0;
  Group groups_[kBlockVectors / Set::kGroup];
  std::int64_t count_ = 0, vectors_ = 0, rows_ = 1;
  alignas(kLine) float sums_[kPanelRows * kBlockVectors * Set::kLanes];
};

template <MatrixFormat kFormat>
void multiply_as(const Product& product, std::int64_t begin, std::int64_t end) {
  const std::int64_t groups = group_count(product.vectors, Set::kGroup);
  constexpr std::int64_t kBeside = kBlockVectors / Set::kGroup;
  for (std::int64_t group = 0; group < groups; group += kBeside) {
    BlockProduct<kFormat>(product, group, std::min(groups, group + kBeside), groups)
        .multiply(begin, end);
  }
}

template <MatrixFormat kFormat>
FINEPRINT_TARGET void widen_as(const StoredMatrix& matrix, std::int64_t row, float* out) {
  constexpr std::int64_t kBytes = value_bytes(kFormat);
  const std::uint8_t* at =
      static_cast<const std::uint8_t*>(matrix.values) + row * matrix.row_values * kBytes;
  for (std::int64_t c = 0; c < matrix.columns; c += Set::kLanes) {
    const auto left = static_cast<std::size_t>(std::min(matrix.columns - c, Set::kLanes));
    std::uint8_t in[4 * Set::kLanes] = {};
    float values[Set::kLanes];
    std::memcpy(in, at + c * kBytes, left * kBytes);
    typename Set::Lanes lanes = Set::template widened<kFormat>(in);
    if constexpr (kFormat == MatrixFormat::int8) {
      const std::int64_t scales = matrix.row_values / kCodesPerScale;
      lanes = Set::times(lanes, Set::all(matrix.scales[row * scales + c / kCodesPerScale]));
    }
    Set::store(values, lanes);
    std::memcpy(out + c, values, left * sizeof(float));
  }
}

void widen_row(const StoredMatrix& matrix, std::int64_t row, float* out) {
  switch (matrix.format) {
    case MatrixFormat::float32:
      return widen_as<MatrixFormat::float32>(matrix, row, out);
    case MatrixFormat::bfloat16:
      return widen_as<MatrixFormat::bfloat16>(matrix, row, out);
    case MatrixFormat::float16:
      return widen_as<MatrixFormat::float16>(matrix, row, out);
    case MatrixFormat::int8:
      return widen_as<MatrixFormat::int8>(matrix, row, out);
  }
}

void multiply(const Product& product, std::int64_t begin, std::int64_t end) {
  switch (product.weight.format) {
    case MatrixFormat::float32:
      return multiply_as<MatrixFormat::float32>(product, begin, end);
    case MatrixFormat::bfloat16:
      return multiply_as<MatrixFormat::bfloat16>(product, begin, end);
    case MatrixFormat::float16:
      return multiply_as<MatrixFormat::float16>(product, begin, end);
    case MatrixFormat::int8:
      return multiply_as<MatrixFormat::int8>(product, begin, end);
  }
}

}  // namespace
}  // namespace fineprint::nets
