// Resizes an image twice, as the reference does: first its longer edge to a fixed length, then both
// edges up to multiples of a tile. Computes sizes in the reference's order and in double precision,
// because another order gives other sizes.
#include "preprocess/split_processor.h"

#include <algorithm>
#include <cmath>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/image/resample.h"

#include "preprocess/image_processor_norm.h"

namespace fineprint::preprocess {
namespace {

constexpr int kMaxSplitTile = 4096, kMaxSplitTokens = 1 << 20;
constexpr int kMaxEdge = 4096;  // the reference shrinks longer edges to this

struct EdgeSizes {
  int width = 0, height = 0;
};

void check_split(const SplitProcessor& processor) {
  const auto within = [](int value, int limit) { return value >= 1 && value <= limit; };
  if (within(processor.tile, kMaxSplitTile) && within(processor.longest_edge, 1 << 16) &&
      within(processor.tile_tokens, kMaxSplitTokens)) {
    return;
  }
  throw Error(ErrorCode::model,
              format("preprocessor_config.json: cannot use tiles of {} pixels and {} tokens, with "
                     "a longest edge of {} pixels",
                     processor.tile, processor.tile_tokens, processor.longest_edge));
}

int to_multiple(int side, int tile) { return (side + tile - 1) / tile * tile; }

// Returns the size with the longer edge of this length and the other one even.
EdgeSizes with_longest_edge(int width, int height, int edge) {
  const double ratio = static_cast<double>(width) / height;
  const bool wide = width >= height;
  int other = static_cast<int>(wide ? edge / ratio : edge * ratio);
  other = std::max(other + other % 2, 1);
  return wide ? EdgeSizes{edge, other} : EdgeSizes{other, edge};
}

// The reference applies this limit after longest_edge, so a larger longest_edge has no effect.
EdgeSizes within_limit(EdgeSizes size) {
  const double ratio = static_cast<double>(size.width) / size.height;
  if (size.width >= size.height && size.width > kMaxEdge) {
    return {kMaxEdge, std::max(static_cast<int>(kMaxEdge / ratio), 1)};
  }
  if (size.height > size.width && size.height > kMaxEdge) {
    return {std::max(static_cast<int>(kMaxEdge * ratio), 1), kMaxEdge};
  }
  return size;
}

EdgeSizes first_size(const SplitProcessor& processor, int width, int height) {
  return within_limit(with_longest_edge(width, height, processor.longest_edge));
}

// Returns the size with both edges rounded up to multiples of a tile.
EdgeSizes tiled_size(EdgeSizes size, int tile) {
  const double ratio = static_cast<double>(size.width) / size.height;
  if (size.width >= size.height) {
    const int width = to_multiple(size.width, tile);
    return {width, to_multiple(static_cast<int>(width / ratio), tile)};
  }
  const int height = to_multiple(size.height, tile);
  return {to_multiple(static_cast<int>(height * ratio), tile), height};
}

Image resized(const Image& rgb, int width, int height) {
  return image::resample(rgb, width, height, image::Filter::lanczos,
                         image::Arithmetic::torchvision);
}

// Writes the tile whose corner is (x, y) as [3, tile, tile]. Returns where the next one goes.
float* fill_tile(const NormTable& table, const Image& rgb, int x, int y, int tile, float* out) {
  for (std::size_t c = 0; c < 3; ++c) {
    const std::array<float, 256>& values = table.of(c);
    for (int row = y; row < y + tile; ++row) {
      const std::uint8_t* pixel = rgb.row(row) + std::ptrdiff_t{3} * x + c;
      for (int column = 0; column < tile; ++column) *out++ = values[pixel[3 * column]];
    }
  }
  return out;
}

}  // namespace

PixelInput plan_split(const SplitProcessor& processor, int width, int height) {
  check_split(processor);
  PixelInput input;
  input.width = input.height = processor.tile;
  input.grid = {1, 0, 0};
  if (processor.split) {
    const EdgeSizes size = tiled_size(first_size(processor, width, height), processor.tile);
    if (size.width > processor.tile || size.height > processor.tile) {
      input.width = size.width;
      input.height = size.height;
      input.grid = {1, size.height / processor.tile, size.width / processor.tile};
    }
  }
  // The whole image is one more view, after the tiles.
  const std::int64_t views = input.grid[1] * input.grid[2] + 1;
  input.shape = {views, 3, processor.tile, processor.tile};
  input.tokens = views * processor.tile_tokens;
  return input;
}

PixelInput process_split(const SplitProcessor& processor, const Image& image) {
  PixelInput input = plan_split(processor, image.width, image.height);
  const NormTable table(processor.norm, NormSteps::folded);
  const EdgeSizes first = first_size(processor, image.width, image.height);
  const Image rgb =
      resized(image::to_rgb(image, image::Alpha::on_white), first.width, first.height);
  // The whole-image view is made from the tiled image and not from the original, as in the
  // reference; each resampling rounds to 8 bits.
  const Image tiled = resized(rgb, input.width, input.height);
  const int tile = processor.tile;
  input.values.resize(static_cast<std::size_t>(input.shape[0]) * 3 *
                      static_cast<std::size_t>(tile) * static_cast<std::size_t>(tile));
  float* out = input.values.data();
  if (input.grid[1] > 0) {
    for (int y = 0; y < input.height; y += tile) {
      for (int x = 0; x < input.width; x += tile) out = fill_tile(table, tiled, x, y, tile, out);
    }
  }
  fill_tile(table, resized(tiled, tile, tile), 0, 0, tile, out);
  return input;
}

}  // namespace fineprint::preprocess
