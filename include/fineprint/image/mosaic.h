// Several pictures in one, each with its number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "fineprint/core/image.h"

namespace fineprint::image {

struct Grid {
  int rows = 0, columns = 0;
  bool operator==(const Grid&) const = default;
};

inline constexpr int kMostCells = 20;
inline constexpr std::int64_t kMostMosaicPixels = std::int64_t{1} << 23;

// The rows and columns for so many cells. Throws Error(input) for none and for over kMostCells.
// Source: the grids of ViDoRAG's code (arXiv 2502.18017).
Grid grid_of(std::size_t cells);

// RGB pictures side by side, row by row, with black lines of 40 pixels between them; cells that are
// left over are white. All cells have the size that most pictures have, of several such sizes that
// of the first; pictures of other sizes are stretched to it. A cell has at least 32 pixels a side,
// and all are shrunk evenly when the whole would have over kMostMosaicPixels. Each carries its
// number, from 0, in white on black in its top left corner; the box is 12 % of the cell's shorter
// side high, and at least 9 pixels.
// Throws Error(input) as grid_of, Error(internal) for a picture that is not RGB.
// Source: ViDoRAG's code (arXiv 2502.18017); the numbers are ours.
Image mosaic(std::span<const Image> pictures);
// The same in a grid of the caller's, with numbers from `first` on. Throws Error(input) for a grid
// with fewer cells than pictures, or with over 100.
Image mosaic(std::span<const Image> pictures, const Grid& grid, std::size_t first);

}  // namespace fineprint::image
