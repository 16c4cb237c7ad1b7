// The steps over rows of float32. The file of each instruction set includes this once, after it has
// defined FINEPRINT_TARGET and the type `Set` of its registers and their operations.
#include <algorithm>
#include <cstring>
#include <utility>

#include "nets/packed/kernel.h"
#include "nets/packed/lanes.h"
#include "nets/packed/tiles.h"

namespace fineprint::nets {
namespace {

// Computes e^x for x <= 0 as 2^n e^r, with n an integer and r at most ln 2 / 2 from 0.
FINEPRINT_INLINE Lanes exp_below_0(Lanes x) {
  constexpr float kTerms[] = {1.0F,         1.0F,          0.49999991F,  0.1666642F,
                              0.041668225F, 0.0083748158F, 0.0013836846F};
  x = Set::largest(Set::all(-87.0F), x);
  const Lanes whole = Set::round(Set::times(x, Set::all(1.44269504F)));
  Lanes rest = Set::add_product(whole, Set::all(-0.693359375F),
                                x);  // ln 2 in two parts, so that the product is exact
  rest = Set::add_product(whole, Set::all(2.12194440e-4F), rest);
  return Set::times_power_of_2(polynomial(rest, kTerms), whole);
}

// Stores the first `count` values.
FINEPRINT_INLINE void store_some(float* at, std::int64_t count, Lanes lanes) {
  alignas(64) float values[Set::kLanes];
  Set::store(values, lanes);
  for (std::int64_t i = 0; i < count; ++i) at[i] = values[i];
}

// ---- Products
// ------------------------------------------------------------------------------------

constexpr std::int64_t kWidth = 2 * Set::kLanes;  // columns of y in a tile
// Columns of x that are processed before the next ones: a block's rows and the panels that they are
// multiplied with then stay in the second-level cache.
constexpr std::int64_t kDepth = 512;
// Values of x in a block; half a megabyte.
constexpr std::int64_t kBlockValues = std::int64_t{128} << 10;

// A tile of the result: its inputs, outputs and sizes.
struct Tile {
  const float* x = nullptr;  // the first row
  std::int64_t x_step = 0;
  const float* panel = nullptr;  // the tile's columns of the first panel row
  std::int64_t in = 0;
  const float* bias = nullptr;  // [kWidth]
  const float* added = nullptr;
  std::int64_t added_step = 0;
  bool gelu = false;
  float* y = nullptr;
  std::int64_t y_step = 0;
};

template <int kRows>
FINEPRINT_TARGET void multiply_tile(const Tile& tile) {
  Lanes sums[kRows][2];
#pragma GCC unroll 16
  for (int r = 0; r < kRows; ++r) {
    // The bias is where sums begin, which saves adding it at the end.
    sums[r][0] = Set::load(tile.bias);
    sums[r][1] = Set::load(tile.bias + Set::kLanes);
  }
  const float* x = tile.x;
  const float* panel = tile.panel;
  const std::int64_t step = tile.x_step;
  for (const float* end = x + tile.in; x != end; ++x, panel += kPanel) {
    const Lanes low = Set::load(panel), high = Set::load(panel + Set::kLanes);
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) {
      const Lanes value = Set::all(x[r * step]);
      sums[r][0] = Set::add_product(value, low, sums[r][0]);
      sums[r][1] = Set::add_product(value, high, sums[r][1]);
    }
  }
#pragma GCC unroll 16
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 2
    for (int half = 0; half < 2; ++half) {
      Lanes sum = sums[r][half];
      if (tile.added != nullptr) {
        sum = Set::add(sum, Set::load(tile.added + r * tile.added_step + half * Set::kLanes));
      }
      if (tile.gelu) sum = gelu(sum);
      Set::store(tile.y + r * tile.y_step + half * Set::kLanes, sum);
    }
  }
}

using TileProduct = void (*)(const Tile&);

template <std::size_t... kIndex>
TileProduct tile_of(std::int64_t rows, std::index_sequence<kIndex...>) {
  static constexpr TileProduct kTiles[] = {multiply_tile<kIndex + 1>...};
  return kTiles[rows - 1];
}

// Computes a tile at the edge, of which only some columns exist, in a buffer of full size.
inline void multiply_edge(TileProduct multiply, Tile tile, std::int64_t rows,
                          std::int64_t columns) {
  float added[Set::kTileRows * kWidth] = {}, y[Set::kTileRows * kWidth];
  for (std::int64_t r = 0; r < rows && tile.added != nullptr; ++r) {
    std::copy_n(tile.added + r * tile.added_step, columns, added + r * kWidth);
  }
  float* const to = tile.y;
  const std::int64_t to_step = tile.y_step;
  if (tile.added != nullptr) tile.added = added;
  tile.added_step = tile.y_step = kWidth;
  tile.y = y;
  multiply(tile);
  for (std::int64_t r = 0; r < rows; ++r) std::copy_n(y + r * kWidth, columns, to + r * to_step);
}

// Some rows of x, and some of its columns (a stretch).
struct Block {
  std::int64_t begin = 0, end = 0;
  std::int64_t first = 0, depth = 0;
  bool is_first = true, is_last = true;  // among the stretches of columns
};

// Multiplies a block for the columns of y from `column` on.
inline void multiply_strip(const RowsProduct& product, const Block& block, std::int64_t column) {
  static constexpr float kNoBias[kWidth] = {};
  const Finish& finish = product.finish;
  const bool has_bias = block.is_first && finish.bias != nullptr;
  // Later stretches add to the sums that earlier ones stored in y.
  const float* added = block.is_first ? finish.added : product.y.values;
  Tile tile;
  tile.x_step = product.x.step;
  tile.panel =
      product.panels + (column / kPanel * product.in + block.first) * kPanel + column % kPanel;
  tile.in = block.depth;
  tile.bias = has_bias ? finish.bias + column : kNoBias;
  tile.added_step = block.is_first ? finish.added_step : product.y.step;
  tile.gelu = finish.gelu && block.is_last;
  tile.y_step = product.y.step;
  const std::int64_t columns = std::min(kWidth, product.out - column);
  const std::int64_t rows = block.end - block.begin, groups = group_count(rows, Set::kTileRows);
  for (std::int64_t group = 0; group < groups; ++group) {
    const std::int64_t row = block.begin + group_begin(rows, groups, group);
    const std::int64_t count = block.begin + group_begin(rows, groups, group + 1) - row;
    tile.x = product.x.values + row * product.x.step + block.first;
    tile.y = product.y.values + row * product.y.step + column;
    if (added != nullptr) tile.added = added + row * tile.added_step + column;
    const TileProduct multiply = tile_of(count, std::make_index_sequence<Set::kTileRows>());
    columns == kWidth ? multiply(tile) : multiply_edge(multiply, tile, count, columns);
  }
}

void multiply_all(const RowsProduct& product) {
  const std::int64_t depths = std::max<std::int64_t>(1, group_count(product.in, kDepth));
  const std::int64_t most = kBlockValues / std::clamp<std::int64_t>(product.in, 1, kDepth);
  const std::int64_t blocks = group_count(product.x.count, most);
  for (std::int64_t number = 0; number < blocks; ++number) {
    Block block;
    block.begin = group_begin(product.x.count, blocks, number);
    block.end = group_begin(product.x.count, blocks, number + 1);
    for (std::int64_t depth = 0; depth < depths; ++depth) {
      block.first = group_begin(product.in, depths, depth);
      block.depth = group_begin(product.in, depths, depth + 1) - block.first;
      block.is_first = depth == 0;
      block.is_last = depth + 1 == depths;
      for (std::int64_t column = 0; column < product.out; column += kWidth) {
        multiply_strip(product, block, column);
      }
    }
  }
}

// ---- Steps of one row each
// -----------------------------------------------------------------------

// Values after the row's end are set to row[0], so that they change neither maximum nor width.
FINEPRINT_TARGET void softmax_row(float* row, std::int64_t width, float scale) {
  Lanes largest = Set::all(row[0]);
  const std::int64_t wide = rounded_up(width, Set::kLanes);
  std::fill(row + width, row + wide, row[0]);
  for (std::int64_t i = 0; i < wide; i += Set::kLanes) {
    largest = Set::largest(largest, Set::load(row + i));
  }
  const Lanes shift = Set::all(-scale * Set::largest_of(largest)), factor = Set::all(scale);
  Lanes sum = Set::all(0.0F);
  const auto exp_at = [&](std::int64_t i) FINEPRINT_TARGET {
    const Lanes power = exp_below_0(Set::add_product(Set::load(row + i), factor, shift));
    Set::store(row + i, power);
    return power;
  };
  for (std::int64_t i = 0; i + Set::kLanes <= width; i += Set::kLanes) {
    sum = Set::add(sum, exp_at(i));
  }
  float total = Set::sum(sum);
  // The last register holds values after the row's end, which must not enter the sum.
  if (wide != width) {
    exp_at(wide - Set::kLanes);
    for (std::int64_t i = wide - Set::kLanes; i < width; ++i) total += row[i];
  }
  const Lanes inverse = Set::all(1 / total);
  for (std::int64_t i = 0; i < wide; i += Set::kLanes) {
    Set::store(row + i, Set::times(Set::load(row + i), inverse));
  }
}

void softmax(const Rows& rows, std::int64_t width, float scale) {
  for (std::int64_t r = 0; r < rows.count; ++r) {
    softmax_row(rows.values + r * rows.step, width, scale);
  }
}

FINEPRINT_TARGET void add_by_kind_to_row(float* row, std::int64_t width, const float* numbers,
                                         const std::uint8_t* kinds) {
  for (std::int64_t i = 0; i < width; i += Set::kLanes) {
    Set::store(row + i, Set::add(Set::load(row + i), Set::chosen(numbers, kinds + i)));
  }
}

void add_by_kind(const Rows& rows, std::int64_t width, const ByKind& added) {
  for (std::int64_t r = 0; r < rows.count; ++r) {
    add_by_kind_to_row(rows.values + r * rows.step, width, added.numbers,
                       added.kinds + r * added.step);
  }
}

// Mean and variance in two passes: one pass of squares would lose digits if the mean is large.
FINEPRINT_TARGET void norm_row(const float* x, const RowsNorm& norm, float* y) {
  const std::int64_t whole = norm.width / Set::kLanes * Set::kLanes, left = norm.width - whole;
  const float share = 1 / static_cast<float>(norm.width);
  Lanes sum = load_some(x + whole, left, 0);
  for (std::int64_t i = 0; i < whole; i += Set::kLanes) sum = Set::add(sum, Set::load(x + i));
  const float mean = Set::sum(sum) * share;
  const Lanes minus_mean = Set::all(-mean);
  const Lanes last = Set::add(load_some(x + whole, left, mean), minus_mean);
  Lanes squares = Set::times(last, last);
  for (std::int64_t i = 0; i < whole; i += Set::kLanes) {
    const Lanes centred = Set::add(Set::load(x + i), minus_mean);
    squares = Set::add_product(centred, centred, squares);
  }
  // Joined explicitly, as x86-64's compilers would do here and ARM's are not allowed to.
  const float variance = __builtin_fmaf(Set::sum(squares), share, norm.eps);
  const Lanes scale = Set::all(1 / __builtin_sqrtf(variance));
  for (std::int64_t i = 0; i < whole; i += Set::kLanes) {
    const Lanes centred = Set::times(Set::add(Set::load(x + i), minus_mean), scale);
    Set::store(y + i,
               Set::add_product(centred, Set::load(norm.weight + i), Set::load(norm.bias + i)));
  }
  if (left == 0) return;
  store_some(y + whole, left,
             Set::add_product(Set::times(last, scale), load_some(norm.weight + whole, left, 0),
                              load_some(norm.bias + whole, left, 0)));
}

void norm(const ConstRows& x, const RowsNorm& norm, const Rows& y) {
  for (std::int64_t r = 0; r < x.count; ++r) {
    norm_row(x.values + r * x.step, norm, y.values + r * y.step);
  }
}

}  // namespace
}  // namespace fineprint::nets
