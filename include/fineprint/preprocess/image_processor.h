// Turns a page image into the numbers that a vision tower reads, as the model's
// preprocessor_config.json asks.
#pragma once

#include <array>
#include <cstdint>
#include <variant>
#include <vector>

#include "fineprint/core/image.h"

namespace fineprint::preprocess {

// (value / 255 - mean) / deviation, a channel.
struct PixelNorm {
  std::array<float, 3> mean{};
  std::array<float, 3> deviation{1, 1, 1};
};

// Any size: the image is resized to multiples of patch * merge within a pixel budget and cut into
// patches. Source: Wang et al., "Qwen2-VL" (2024), section 2.1; resampling as torchvision's 8-bit
// antialiased bicubic.
struct PatchProcessor {
  int patch = 14;    // pixels a side
  int temporal = 2;  // frames a patch spans; a still image is repeated
  int merge = 2;     // patches a side that become one token
  std::int64_t min_pixels = 56 * 56;
  std::int64_t max_pixels = 28 * 28 * 1280;
  PixelNorm norm;
};

// Crops: a global view and a grid of tiles of the image, padded with white.
// Source: Abdin et al., "Phi-3 Technical Report" (2024), section 6 (Phi-3-Vision), after Dong et
// al., "InternLM-XComposer2-4KHD" (2024), section 3.2.
struct TileProcessor {
  int tile = 336;         // pixels a side
  int max_tiles = 16;     // of the grid, the global view not counted
  int tile_tokens = 144;  // tokens a tile becomes (a square number)
  PixelNorm norm;
};

// One fixed size, proportions not kept; resampling as Pillow's, bicubic or bilinear.
struct SquareProcessor {
  int width = 224, height = 224;
  int tokens = 256;  // that the image becomes
  bool bilinear = false;
  PixelNorm norm;
};

// A grid of tiles, then the whole image at a tile's size, proportions not kept; an image that fits
// one tile is only the latter. The longer edge is resized to `longest_edge` first; resampling as
// torchvision's 8-bit antialiased Lanczos filter.
// Source: Laurencon et al., "Building and better understanding vision-language models" (2024),
// section 3.1 (Idefics3); Marafioti et al., "SmolVLM" (2025), section 2.3.
struct SplitProcessor {
  int tile = 512;           // pixels a side
  int longest_edge = 2048;  // pixels
  int tile_tokens = 64;     // that a tile, and the whole image, becomes
  bool split = true;        // else every image is the whole image alone
  PixelNorm norm;
};

using ImageProcessor = std::variant<PatchProcessor, TileProcessor, SquareProcessor, SplitProcessor>;

// How many pixels of an image the tower looks at; larger ones are shrunk.
std::int64_t most_pixels(const ImageProcessor& processor);

// One image, ready for the tower.
struct PixelInput {
  // Patches: [patches, 3 * temporal * patch * patch], in blocks of merge x merge patches.
  // Tiles: [1 + rows * columns, 3, tile, tile], the global view first, then row by row.
  // Square: [1, 3, height, width].
  // Split: [rows * columns + 1, 3, tile, tile], row by row, the whole image last.
  std::vector<std::int64_t> shape;
  std::vector<float> values;
  // Patches: the patches' grid {frames, rows, columns}. Tiles: {1, rows, columns} of tiles.
  // Square: {1, 1, 1}. Split: {1, rows, columns} of tiles; no rows, no columns: not cut.
  std::array<std::int64_t, 3> grid{1, 1, 1};
  std::int64_t tokens = 0;    // that the image's features take in a prompt
  int width = 0, height = 0;  // after resizing and padding, in pixels
};

// The sizes alone, without touching pixels: grid, tokens, width, height and shape; no values.
// Throws Error(input) for an image too thin to be processed (over 200:1 for patches) or of absurd
// size, Error(model) for a processor that no image fits.
PixelInput plan_pixels(const ImageProcessor& processor, int width, int height);

// Grey and RGBA images become RGB first. Transparent images are laid over white for patches,
// squares and splits, as transformers 5 does; for tiles their colours are taken as stored, as the
// reference of Phi-3-vision does. Throws like `plan_pixels`.
PixelInput process_image(const ImageProcessor& processor, const Image& image);

}  // namespace fineprint::preprocess
