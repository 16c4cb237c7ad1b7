// Turns a page image into the numbers that a vision tower reads, as the model's
// preprocessor_config.json requires.
#pragma once

#include <array>
#include <cstdint>
#include <variant>
#include <vector>

#include "fineprint/core/image.h"

namespace fineprint::preprocess {

// Normalises each channel: (value / 255 - mean) / deviation.
struct PixelNorm {
  std::array<float, 3> mean{};
  std::array<float, 3> deviation{1, 1, 1};
};

// Takes images of any size: resizes them to multiples of patch * merge within a pixel budget and
// cuts them into patches. Resamples as torchvision's 8-bit antialiased bicubic filter does.
// Source: Wang et al., "Qwen2-VL" (2024), section 2.1.
struct PatchProcessor {
  int patch = 14;                            // side of a patch in pixels
  int temporal = 2;                          // frames in a patch; a still image is repeated
  int merge = 2;                             // merge x merge patches become one token
  std::int64_t min_pixels = 56 * 56;         // smaller images are enlarged
  std::int64_t max_pixels = 28 * 28 * 1280;  // larger images are shrunk
  PixelNorm norm;
  // If above 0, it replaces the pixel budget: an image whose longer side has more pixels is shrunk
  // to it, and then both sides are enlarged to multiples. Source: Agrawal et al., "Pixtral 12B"
  // (2024), section 2.2; the reference's processor.
  int longest_edge = 0;
};

// Makes crops: a global view of the image, and a grid of its tiles, padded with white.
// Source: Abdin et al., "Phi-3 Technical Report" (2024), section 6 (Phi-3-Vision), after Dong et
// al., "InternLM-XComposer2-4KHD" (2024), section 3.2.
struct TileProcessor {
  int tile = 336;         // side of a tile in pixels
  int max_tiles = 16;     // limit of the grid, without the global view
  int tile_tokens = 144;  // tokens that a tile becomes; must be a square number
  PixelNorm norm;
};

// Resizes every image to one fixed size; proportions are not kept. Resamples as Pillow does.
struct SquareProcessor {
  int width = 224, height = 224;
  int tokens = 256;       // tokens that an image becomes
  bool bilinear = false;  // bilinear filter if true, else bicubic
  PixelNorm norm;
};

// Makes a grid of tiles, then the whole image at a tile's size; proportions are not kept. An image
// that fits into one tile becomes only the latter. The longer edge is resized to `longest_edge`
// first. Resamples as torchvision's 8-bit antialiased Lanczos filter does.
// Source: Laurencon et al., "Building and better understanding vision-language models" (2024),
// section 3.1 (Idefics3); Marafioti et al., "SmolVLM" (2025), section 2.3.
struct SplitProcessor {
  int tile = 512;           // side of a tile in pixels
  int longest_edge = 2048;  // pixels
  int tile_tokens = 64;     // tokens that a tile, and the whole image, becomes
  bool split = true;        // if false, no tiles: every image becomes the whole image only
  PixelNorm norm;
};

// Makes one or several views and cuts each into patches. An image within a budget of tokens, times
// a tolerance, becomes one view with its own proportions. A larger image is resized to the grid of
// tiles whose proportions are nearest, each tile is a view, and the whole image comes last.
// Resamples as torchvision's 8-bit antialiased bilinear filter does.
// Sources: Liquid AI, "LFM2 Technical Report" (2025), on LFM2-VL; the reference's processor.
struct GridProcessor {
  int patch = 16;                         // side of a patch in pixels
  int merge = 2;                          // merge x merge patches become one token
  int min_tokens = 64, max_tokens = 256;  // of the whole image
  int tile = 512;                         // side of a tile in pixels
  int min_tiles = 2, max_tiles = 10;      // of a grid
  double tolerance = 2;                   // images up to so many times max_tokens are not cut
  bool split = true;                      // if false, no tiles
  bool whole = true;                      // if false, tiles come without the whole image
  PixelNorm norm;
};

// What a model's preprocessor_config.json asks for: one of the five kinds.
using ImageProcessor =
    std::variant<PatchProcessor, TileProcessor, SquareProcessor, SplitProcessor, GridProcessor>;

// Returns the largest number of pixels that the tower looks at. Larger images are shrunk, so it is
// a waste to render a page with more pixels than this.
std::int64_t most_pixels(const ImageProcessor& processor);

// One image, ready for the vision tower.
struct PixelInput {
  // The shape of `values`, in row-major order:
  // Patches: [patches, 3 * temporal * patch * patch], in blocks of merge x merge patches.
  // Tiles: [1 + rows * columns, 3, tile, tile], the global view first, then row by row.
  // Square: [1, 3, height, width].
  // Split: [rows * columns + 1, 3, tile, tile], row by row, the whole image last.
  // Grid: [patches, patch * patch * 3], view by view, each row by row.
  std::vector<std::int64_t> shape;
  std::vector<float> values;
  // Patches: the grid of patches {frames, rows, columns}. Tiles: the grid of tiles
  // {1, rows, columns}. Square: {1, 1, 1}. Split and grid: the grid of tiles {1, rows, columns}, or
  // {1, 0, 0} if the image is not cut. For example, a page of 4 x 3 tiles gives {1, 4, 3}.
  std::array<std::int64_t, 3> grid{1, 1, 1};
  std::int64_t tokens = 0;  // tokens that the image takes in a prompt
  // After resizing and padding, in pixels. Grid: of the whole image.
  int width = 0, height = 0;
  // Grid: rows and columns of patches of each view. Empty for all others.
  std::vector<std::array<std::int64_t, 2>> views = {};
};

// Computes sizes only, without touching pixels: shape, grid, tokens, width and height; `values`
// stays empty. Throws Error(input) if an image of `width` x `height` pixels is too thin to be
// processed (for example, over 200:1 for patches) or has an absurd size. Throws Error(model) if the
// processor's settings cannot work with any image.
PixelInput plan_pixels(const ImageProcessor& processor, int width, int height);

// Processes an image. Grey and RGBA images become RGB first. Transparent images are laid over white
// for all but tiles, as transformers 5 does. For tiles, their colours are taken as
// stored, as the reference of Phi-3-vision does. Throws the same errors as plan_pixels.
PixelInput process_image(const ImageProcessor& processor, const Image& image);

}  // namespace fineprint::preprocess
