// Chooses the largest grid of tiles that has the image's proportions and keeps the limit. Tall
// images are transposed first and transposed back at the end, so that their padding is on the left
// and right.
#include "preprocess/tile_processor.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/image/resample.h"

#include "preprocess/image_processor_norm.h"

namespace fineprint::preprocess {
namespace {

constexpr int kMaxTile = 4096, kMaxTiles = 1024, kMaxTileTokens = 1 << 20;
constexpr std::uint8_t kWhite = 255;

// Sizes of the image on its side, so that width >= height.
struct Layout {
  bool turned = false;
  int width = 0, height = 0;  // resized
  int padded_height = 0;      // the width needs no padding
  int top = 0;                // white rows above the image
};

int root_of(int square) { return static_cast<int>(std::lround(std::sqrt(square))); }

void check_tiles(const TileProcessor& processor) {
  const auto within = [](int value, int limit) { return value >= 1 && value <= limit; };
  const int tokens = processor.tile_tokens;
  if (within(processor.tile, kMaxTile) && within(processor.max_tiles, kMaxTiles) &&
      within(tokens, kMaxTileTokens) && root_of(tokens) * root_of(tokens) == tokens) {
    return;
  }
  throw Error(ErrorCode::model,
              format("preprocessor_config.json: cannot use {} tiles of {} pixels, {} tokens",
                     processor.max_tiles, processor.tile, tokens));
}

Layout lay_out(const TileProcessor& processor, int width, int height) {
  check_tiles(processor);
  Layout layout;
  layout.turned = width < height;
  const double ratio = static_cast<double>(std::max(width, height)) / std::min(width, height);
  // As many columns as the limit allows once each row that they imply is counted.
  int columns = 1;
  while ((columns + 1) * std::ceil((columns + 1) / ratio) <= processor.max_tiles) ++columns;
  layout.width = columns * processor.tile;
  layout.height = static_cast<int>(layout.width / ratio);
  if (layout.height == 0) {
    throw Error(ErrorCode::input,
                format("an image of {} x {} pixels is too thin for this model", width, height));
  }
  const int rows = (layout.height + processor.tile - 1) / processor.tile;
  layout.padded_height = rows * processor.tile;
  layout.top = (layout.padded_height - layout.height) / 2;
  return layout;
}

Image pad_rows(const Image& rgb, const Layout& layout) {
  Image padded{rgb.width, layout.padded_height, 3, {}};
  padded.pixels.assign(padded.stride() * static_cast<std::size_t>(padded.height), kWhite);
  std::memcpy(padded.row(layout.top), rgb.pixels.data(), rgb.pixels.size());
  return padded;
}

// Copies the tile [3, tile, tile] with the corner (x, y) out of planes [3, height, width]. Returns
// where the next one goes.
float* copy_tile(const std::vector<float>& planes, const PixelInput& input, int tile, int x, int y,
                 float* out) {
  const auto width = static_cast<std::size_t>(input.width);
  const std::size_t plane = width * static_cast<std::size_t>(input.height);
  const std::size_t corner = static_cast<std::size_t>(y) * width + static_cast<std::size_t>(x);
  for (std::size_t c = 0; c < 3; ++c) {
    for (std::size_t row = 0; row < static_cast<std::size_t>(tile); ++row) {
      out = std::copy_n(&planes[c * plane + corner + row * width], tile, out);
    }
  }
  return out;
}

}  // namespace

PixelInput plan_tiles(const TileProcessor& processor, int width, int height) {
  const Layout layout = lay_out(processor, width, height);
  PixelInput input;
  input.width = layout.turned ? layout.padded_height : layout.width;
  input.height = layout.turned ? layout.width : layout.padded_height;
  const std::int64_t rows = input.height / processor.tile, columns = input.width / processor.tile;
  input.grid = {1, rows, columns};
  input.shape = {1 + rows * columns, 3, processor.tile, processor.tile};
  // Each row of tokens ends with a separator, both in the grid and in the global view. One more
  // separator is between the two.
  const std::int64_t tile_rows = root_of(processor.tile_tokens);
  input.tokens = (rows * columns + 1) * processor.tile_tokens + 1 + (rows + 1) * tile_rows;
  return input;
}

Image pad_to_tiles(const TileProcessor& processor, const Image& image) {
  const Layout layout = lay_out(processor, image.width, image.height);
  Image rgb = image::to_rgb(image, image::Alpha::dropped);
  if (layout.turned) rgb = image::transpose(rgb);
  rgb = image::resample(rgb, layout.width, layout.height, image::Filter::bilinear,
                        image::Arithmetic::pillow);
  rgb = pad_rows(rgb, layout);
  return layout.turned ? image::transpose(rgb) : rgb;
}

PixelInput process_tiles(const TileProcessor& processor, const Image& image) {
  PixelInput input = plan_tiles(processor, image.width, image.height);
  const Image padded = pad_to_tiles(processor, image);
  std::vector<float> planes(padded.pixels.size());
  fill_planes({processor.norm, NormSteps::apart}, padded, planes);
  // The global view is resampled from normalised floats, as the reference does; resampling 8-bit
  // pixels would round differently.
  const std::vector<float> global =
      image::sample_bicubic(planes, {input.width, input.height}, {processor.tile, processor.tile});
  input.values.resize(static_cast<std::size_t>(input.shape[0]) * global.size());
  float* out = std::copy(global.begin(), global.end(), input.values.data());
  for (int y = 0; y < input.height; y += processor.tile) {
    for (int x = 0; x < input.width; x += processor.tile) {
      out = copy_tile(planes, input, processor.tile, x, y, out);
    }
  }
  return input;
}

}  // namespace fineprint::preprocess
