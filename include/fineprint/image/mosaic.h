// Joins several numbered pictures into one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "fineprint/core/image.h"

namespace fineprint::image {

// The shape of a mosaic.
struct Grid {
  int rows = 0, columns = 0;
  bool operator==(const Grid&) const = default;
};

// Limits of a mosaic: cells, and pixels of the joined picture.
inline constexpr int kMostCells = 20;
inline constexpr std::int64_t kMostMosaicPixels = std::int64_t{1} << 23;

// Returns the rows and columns for so many cells. Throws Error(input) if there are none or more
// than kMostCells. Source: the grids of ViDoRAG's code (arXiv 2502.18017).
Grid grid_of(std::size_t cells);

// Joins RGB pictures row by row, with black lines of 40 pixels between them. Cells without a
// picture are white. All cells have the most frequent size of the pictures (the first one, if
// several are equally frequent), and other pictures are stretched to it. A cell has at least 32
// pixels a side. If the joined picture would have more than kMostMosaicPixels, all cells are shrunk
// by the same factor. Each cell has its number, counted from 0, in its top left corner, white on
// black. The box of the number is as high as 12 % of the cell's shorter side, but at least 9
// pixels.
// Throws Error(input) as grid_of does, and Error(internal) if a picture is not RGB.
// Source: ViDoRAG's code (arXiv 2502.18017). The numbers are an addition of this program.
Image mosaic(std::span<const Image> pictures);
// Does the same with a given grid and with numbers that start at `first`. Throws Error(input) if
// the grid has fewer cells than pictures or more than 100.
Image mosaic(std::span<const Image> pictures, const Grid& grid, std::size_t first);

}  // namespace fineprint::image
