// Arranges pictures in a grid and numbers them.
#include "fineprint/image/mosaic.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/image/clean.h"

#include "image/pixels.h"

namespace fineprint::image {
namespace {

constexpr int kSeparator = 40;
constexpr int kSmallestSide = 32;  // pixels; room for a number of two digits
constexpr std::size_t kMostGridCells = 100;
constexpr int kChannels = 3;
constexpr std::uint8_t kBlack = 0, kWhite = 255;

// The grid for up to so many pictures.
constexpr std::array<std::pair<std::size_t, Grid>, 12> kGrids = {{{1, {1, 1}},
                                                                  {2, {2, 1}},
                                                                  {3, {1, 3}},
                                                                  {4, {2, 2}},
                                                                  {5, {2, 3}},
                                                                  {6, {3, 2}},
                                                                  {8, {2, 4}},
                                                                  {9, {3, 3}},
                                                                  {11, {3, 4}},
                                                                  {12, {4, 3}},
                                                                  {16, {4, 4}},
                                                                  {kMostCells, {5, 4}}}};

// The digits in 7 rows of 5 pixels. The leftmost pixel is the highest bit.
constexpr int kGlyphWidth = 5, kGlyphHeight = 7;
constexpr std::uint8_t kGlyphs[10][kGlyphHeight] = {
    {0b01110, 0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b01110},
    {0b00100, 0b01100, 0b00100, 0b00100, 0b00100, 0b00100, 0b01110},
    {0b01110, 0b10001, 0b00001, 0b00110, 0b01000, 0b10000, 0b11111},
    {0b11111, 0b00010, 0b00100, 0b00110, 0b00001, 0b10001, 0b01110},
    {0b00010, 0b00110, 0b01010, 0b10010, 0b11111, 0b00010, 0b00010},
    {0b11111, 0b10000, 0b11110, 0b00001, 0b00001, 0b10001, 0b01110},
    {0b00111, 0b01000, 0b10000, 0b11110, 0b10001, 0b10001, 0b01110},
    {0b11111, 0b00001, 0b00010, 0b00100, 0b01000, 0b01000, 0b01000},
    {0b01110, 0b10001, 0b10001, 0b01110, 0b10001, 0b10001, 0b01110},
    {0b01110, 0b10001, 0b10001, 0b01111, 0b00001, 0b00010, 0b11100},
};
// a glyph pixel has one pixel for each 75 of the cell's shorter side
constexpr int kSidesPerGlyphPixel = 75;

struct Size {
  int width = 0, height = 0;
  auto operator<=>(const Size&) const = default;
};

// Returns the most frequent size of the pictures, and the first of several.
Size most_frequent(std::span<const Image> pictures) {
  std::map<Size, int> counts;
  int most = 0;
  for (const Image& one : pictures) most = std::max(most, ++counts[{one.width, one.height}]);
  const auto first = std::ranges::find_if(
      pictures, [&](const Image& one) { return counts.at({one.width, one.height}) == most; });
  return {first->width, first->height};
}

// Returns the factor by which cells must be shrunk, or 1 if the picture is small enough. Cells
// shrink and the lines between them do not, so the number of pixels is a quadratic function of the
// factor.
double shrink_factor(const Grid& grid, const Size& cell) {
  const double width = static_cast<double>(grid.columns) * cell.width;
  const double height = static_cast<double>(grid.rows) * cell.height;
  const double lines_x = kSeparator * (grid.columns - 1), lines_y = kSeparator * (grid.rows - 1);
  const double a = width * height, b = width * lines_y + height * lines_x;
  const double c = lines_x * lines_y - static_cast<double>(kMostMosaicPixels);
  return a + b + c <= 0 ? 1 : (-b + std::sqrt(b * b - 4 * a * c)) / (2 * a);
}

// Returns the side of the joined picture for so many cells.
int whole_side(int cells, int side) { return cells * (side + kSeparator) - kSeparator; }

// Returns the longest side that so many cells may have, if the joined picture is `across` pixels
// the other way.
int room_for(int cells, int across) {
  const auto whole = static_cast<int>(kMostMosaicPixels / across);
  return std::max(kSmallestSide, (whole + kSeparator) / cells - kSeparator);
}

Size cell_size(const Grid& grid, const Size& wanted) {
  const double factor = shrink_factor(grid, wanted);
  const auto shrunk = [&](int side) {
    return std::max(kSmallestSide, static_cast<int>(side * factor));
  };
  Size cell{shrunk(wanted.width), shrunk(wanted.height)};
  // If a thin cell was widened, its longer side must be reduced.
  cell.height = std::min(cell.height, room_for(grid.rows, whole_side(grid.columns, cell.width)));
  cell.width = std::min(cell.width, room_for(grid.columns, whole_side(grid.rows, cell.height)));
  return cell;
}

void fill(Image* target, int x, int y, const Size& size, std::uint8_t value) {
  for (int row = y; row < y + size.height; ++row) {
    std::fill_n(target->row(row) + std::ptrdiff_t{kChannels} * x,
                std::size_t{kChannels} * static_cast<std::size_t>(size.width), value);
  }
}

void place(Image* target, int x, int y, const Image& picture) {
  for (int row = 0; row < picture.height; ++row) {
    std::copy_n(picture.row(row), picture.stride(),
                target->row(y + row) + std::ptrdiff_t{kChannels} * x);
  }
}

void draw_number(Image* target, int x, int y, const Size& cell, std::size_t number) {
  const std::string digits = std::to_string(number);
  const int dot = std::max(1, std::min(cell.width, cell.height) / kSidesPerGlyphPixel);
  const int columns = static_cast<int>(digits.size()) * (kGlyphWidth + 1) + 1;
  fill(target, x, y, {columns * dot, (kGlyphHeight + 2) * dot}, kBlack);
  for (std::size_t i = 0; i < digits.size(); ++i) {
    const auto& glyph = kGlyphs[digits[i] - '0'];
    const int left = 1 + static_cast<int>(i) * (kGlyphWidth + 1);
    for (int row = 0; row < kGlyphHeight; ++row) {
      for (int column = 0; column < kGlyphWidth; ++column) {
        const bool ink = (glyph[row] >> (kGlyphWidth - 1 - column) & 1) != 0;
        if (ink) fill(target, x + (left + column) * dot, y + (1 + row) * dot, {dot, dot}, kWhite);
      }
    }
  }
}

void check_rgb(const Image& picture) {
  check_whole(picture);
  if (picture.channels != kChannels) {
    throw Error(ErrorCode::internal, "only RGB pictures can be joined into a mosaic");
  }
}

void check_grid(const Grid& grid, std::size_t pictures) {
  const auto cells = static_cast<std::size_t>(grid.rows) * static_cast<std::size_t>(grid.columns);
  if (grid.rows < 1 || grid.columns < 1 || cells > kMostGridCells || pictures == 0 ||
      pictures > cells) {
    throw Error(ErrorCode::input,
                format("{} pictures do not fit into a grid of {} rows and {} columns", pictures,
                       grid.rows, grid.columns));
  }
}

}  // namespace

Grid grid_of(std::size_t cells) {
  const auto grid =
      std::ranges::find_if(kGrids, [&](const auto& one) { return cells <= one.first; });
  if (cells == 0 || grid == kGrids.end()) {
    throw Error(ErrorCode::input,
                format("a mosaic can have 1 to {} pictures, not {}", kMostCells, cells));
  }
  return grid->second;
}

Image mosaic(std::span<const Image> pictures) {
  return mosaic(pictures, grid_of(pictures.size()), 0);
}

Image mosaic(std::span<const Image> pictures, const Grid& grid, std::size_t first) {
  check_grid(grid, pictures.size());
  std::ranges::for_each(pictures, check_rgb);
  const Size cell = cell_size(grid, most_frequent(pictures));
  Image whole{.width = whole_side(grid.columns, cell.width),
              .height = whole_side(grid.rows, cell.height),
              .channels = kChannels,
              .pixels = {}};
  whole.pixels.assign(whole.stride() * static_cast<std::size_t>(whole.height), kBlack);
  const int places = grid.rows * grid.columns;
  for (int i = 0; i < places; ++i) {
    const int x = i % grid.columns * (cell.width + kSeparator);
    const int y = i / grid.columns * (cell.height + kSeparator);
    const auto number = static_cast<std::size_t>(i);
    if (number >= pictures.size()) {
      fill(&whole, x, y, cell, kWhite);
      continue;
    }
    const Image& picture = pictures[number];
    const bool fits = picture.width == cell.width && picture.height == cell.height;
    place(&whole, x, y, fits ? picture : resize(picture, cell.width, cell.height));
    draw_number(&whole, x, y, cell, first + number);
  }
  return whole;
}

}  // namespace fineprint::image
