// Products of codes. The file of each instruction set includes this once, after it has defined
// FINEPRINT_TARGET and the type `Set` of its registers and their operations. The sums are integers,
// and thus the same on every processor.
#include <algorithm>
#include <utility>

#include "nets/packed/kernel.h"
#include "nets/packed/lanes.h"
#include "nets/packed/tiles.h"

namespace fineprint::nets {
namespace {

// ---- Codes of x
// ------------------------------------------------------------------------------------

// Codes after the row's end are 0.
FINEPRINT_TARGET void quantise_row(const float* x, std::int64_t width, Set::Code* codes, float* low,
                                   float* scale) {
  const std::int64_t whole = width / Set::kLanes * Set::kLanes, left = width - whole;
  Lanes least = load_some(x + whole, left, x[0]), largest = least;
  for (std::int64_t i = 0; i < whole; i += Set::kLanes) {
    const Lanes values = Set::load(x + i);
    least = Set::least(least, values);
    largest = Set::largest(largest, values);
  }
  *low = Set::least_of(least);
  *scale = (Set::largest_of(largest) - *low) / 255;
  const Lanes inverse = Set::all(*scale < 0x1p-100F ? 0.0F : 1 / *scale), first = Set::all(*low);
  const auto code_of = [&](Lanes values) FINEPRINT_TARGET {
    return Set::least(Set::all(255.0F),
                      Set::round(Set::times(Set::subtract(values, first), inverse)));
  };
  for (std::int64_t i = 0; i < whole; i += Set::kLanes) {
    Set::store_codes(codes + i, code_of(Set::load(x + i)));
  }
  if (left == 0) return;
  Set::Code last[Set::kLanes];
  Set::store_codes(last, code_of(load_some(x + whole, left, *low)));
  std::copy_n(last, rounded_up(left, kCodesAtATime), codes + whole);
}

void quantise(const ConstRows& x, std::int64_t width, const CodeRows& codes) {
  for (std::int64_t r = 0; r < x.count; ++r) {
    quantise_row(x.values + r * x.step, width,
                 static_cast<Set::Code*>(codes.codes) + r * codes.step, codes.low + r,
                 codes.scale + r);
  }
}

// ---- Products
// ------------------------------------------------------------------------------------

// Bytes of x's rows that stay in the second-level cache while all panels are read: half a megabyte.
constexpr std::int64_t kBlockBytes = std::int64_t{256} << 10;

// A tile of the result: its inputs, outputs and sizes.
struct CodesTile {
  const Set::Code* x = nullptr;  // the first row
  std::int64_t x_step = 0;
  const float* low = nullptr;    // low of each row, from the first one on
  const float* scale = nullptr;  // scale of each row, from the first one on
  const Set::Weight* panel = nullptr;
  std::int64_t quads = 0;
  // From the tile's first column on.
  const float* bias = nullptr;
  const float* column_scales = nullptr;
  const float* column_sums = nullptr;
  const float* added = nullptr;
  std::int64_t added_step = 0;
  bool gelu = false;
  float* y = nullptr;
  std::int64_t y_step = 0;
};

template <int kRows>
FINEPRINT_TARGET void multiply_codes_tile(const CodesTile& tile) {
  alignas(64) std::int32_t sums[kRows * Set::kCodeColumns];
  Set::template add_codes<kRows>(tile.x, tile.x_step, tile.panel, tile.quads, sums);
  for (std::int64_t c = 0; c < Set::kCodeColumns; c += Set::kLanes) {
    const Lanes column_scales = Set::load(tile.column_scales + c);
    const Lanes column_sums = Set::load(tile.column_sums + c);
    const Lanes bias = Set::load(tile.bias + c);
    // With x = low + scale * code, a product is scale * (sum of code products) + low * (sum of the
    // column's weights), and the latter sums are known in advance.
    for (int r = 0; r < kRows; ++r) {
      const Lanes scale = Set::times(Set::all(tile.scale[r]), column_scales);
      const Lanes low = Set::add_product(Set::all(tile.low[r]), column_sums, bias);
      Lanes sum = Set::add_product(Set::widened(sums + r * Set::kCodeColumns + c), scale, low);
      if (tile.added != nullptr) {
        sum = Set::add(sum, Set::load(tile.added + r * tile.added_step + c));
      }
      if (tile.gelu) sum = gelu(sum);
      Set::store(tile.y + r * tile.y_step + c, sum);
    }
  }
}

using CodesTileProduct = void (*)(const CodesTile&);

template <std::size_t... kIndex>
CodesTileProduct codes_tile_of(std::int64_t rows, std::index_sequence<kIndex...>) {
  static constexpr CodesTileProduct kTiles[] = {multiply_codes_tile<kIndex + 1>...};
  return kTiles[rows - 1];
}

// Computes a tile at the edge, of which only some columns exist, in a buffer of full size.
inline void multiply_codes_edge(CodesTileProduct multiply, CodesTile tile, std::int64_t rows,
                                std::int64_t columns) {
  constexpr std::int64_t kValues = Set::kCodeRows * Set::kCodeColumns;
  float added[kValues] = {}, y[kValues];
  for (std::int64_t r = 0; r < rows && tile.added != nullptr; ++r) {
    std::copy_n(tile.added + r * tile.added_step, columns, added + r * Set::kCodeColumns);
  }
  float* const to = tile.y;
  const std::int64_t to_step = tile.y_step;
  if (tile.added != nullptr) tile.added = added;
  tile.added_step = tile.y_step = Set::kCodeColumns;
  tile.y = y;
  multiply(tile);
  for (std::int64_t r = 0; r < rows; ++r) {
    std::copy_n(y + r * Set::kCodeColumns, columns, to + r * to_step);
  }
}

// Multiplies rows [begin, end) of x for the columns of y from `column` on. `room` is for a panel's
// columns as the set multiplies them.
FINEPRINT_TARGET void multiply_codes_strip(const CodesProduct& product, std::int64_t begin,
                                           std::int64_t end, std::int64_t column,
                                           Set::Weight* room) {
  const CodePanels& weight = *product.weight;
  CodesTile tile;
  tile.x_step = product.x.step;
  tile.quads = rounded_up(weight.columns(), kCodesAtATime) / kCodesAtATime;
  tile.panel = Set::columns_of(
      weight.codes() + (column / kPanel * kPanel * tile.quads + column % kPanel) * kCodesAtATime,
      tile.quads, room);
  tile.bias = weight.bias() + column;
  tile.column_scales = weight.scales() + column;
  tile.column_sums = weight.sums() + column;
  tile.added_step = product.finish.added_step;
  tile.gelu = product.finish.gelu;
  tile.y_step = product.y.step;
  const std::int64_t columns = std::min(Set::kCodeColumns, weight.rows() - column);
  const std::int64_t groups = group_count(end - begin, Set::kCodeRows);
  for (std::int64_t group = 0; group < groups; ++group) {
    const std::int64_t row = begin + group_begin(end - begin, groups, group);
    const std::int64_t rows = begin + group_begin(end - begin, groups, group + 1) - row;
    tile.x = static_cast<const Set::Code*>(product.x.codes) + row * product.x.step;
    tile.low = product.x.low + row;
    tile.scale = product.x.scale + row;
    tile.y = product.y.values + row * product.y.step + column;
    if (product.finish.added != nullptr) {
      tile.added = product.finish.added + row * product.finish.added_step + column;
    }
    const CodesTileProduct multiply =
        codes_tile_of(rows, std::make_index_sequence<Set::kCodeRows>());
    columns == Set::kCodeColumns ? multiply(tile)
                                 : multiply_codes_edge(multiply, tile, rows, columns);
  }
}

void multiply_codes(const CodesProduct& product) {
  const std::int64_t rows = product.x.count;
  const std::int64_t in = std::max<std::int64_t>(product.weight->columns(), 1);
  const std::int64_t row_bytes = in * std::int64_t{sizeof(Set::Code)};
  const std::int64_t most = std::max(kBlockBytes / row_bytes, std::int64_t{Set::kCodeRows});
  Lines<Set::Weight> room(Set::kCodeColumns * rounded_up(in, kCodesAtATime));
  const std::int64_t blocks = group_count(rows, most);
  for (std::int64_t block = 0; block < blocks; ++block) {
    const std::int64_t begin = group_begin(rows, blocks, block);
    const std::int64_t end = group_begin(rows, blocks, block + 1);
    for (std::int64_t column = 0; column < product.weight->rows(); column += Set::kCodeColumns) {
      multiply_codes_strip(product, begin, end, column, room.data());
    }
  }
}

constexpr CodesKernel kCodesOfSet = {sizeof(Set::Code), quantise, multiply_codes};

}  // namespace
}  // namespace fineprint::nets
