// Makes views of an image and cuts them into patches. Whether an image is cut, and into which grid,
// is computed in the reference's order and in double precision, because some sizes fall on an edge.
#include "preprocess/grid_processor.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/image/resample.h"

#include "preprocess/image_processor_norm.h"
#include "preprocess/patch_processor.h"

namespace fineprint::preprocess {
namespace {

constexpr int kMaxGridPatch = 1024, kMaxGridMerge = 64, kMaxGridTile = 1 << 13;
constexpr int kMaxGridTiles = 256, kMaxWholeTokens = 1 << 20;
// Limits what a configuration file can make us allocate: far more than any page needs.
constexpr std::int64_t kMaxGridPixels = 1 << 28;

std::int64_t token_side(const GridProcessor& processor) {
  return std::int64_t{processor.patch} * processor.merge;
}

// Returns the largest number of pixels of the whole image.
std::int64_t whole_pixels(const GridProcessor& processor) {
  return processor.max_tokens * token_side(processor) * token_side(processor);
}

void check_grid(const GridProcessor& processor) {
  const auto within = [](int value, int limit) { return value >= 1 && value <= limit; };
  bool good = within(processor.patch, kMaxGridPatch) && within(processor.merge, kMaxGridMerge) &&
              within(processor.max_tokens, kMaxWholeTokens) &&
              within(processor.min_tokens, processor.max_tokens) && processor.tolerance > 0 &&
              processor.tolerance < kMaxWholeTokens && whole_pixels(processor) <= kMaxGridPixels;
  if (good && processor.split) {
    good = within(processor.tile, kMaxGridTile) && processor.tile % token_side(processor) == 0 &&
           processor.min_tiles >= 2 && processor.max_tiles >= processor.min_tiles &&
           processor.max_tiles <= kMaxGridTiles &&
           std::int64_t{processor.max_tiles} * processor.tile * processor.tile <= kMaxGridPixels;
  }
  if (good) return;
  throw Error(ErrorCode::model,
              format("preprocessor_config.json: cannot use patches of {} pixels, merged by {}, {} "
                     "to {} tokens, and {} to {} tiles of {} pixels",
                     processor.patch, processor.merge, processor.min_tokens, processor.max_tokens,
                     processor.min_tiles, processor.max_tiles, processor.tile));
}

bool is_cut(const GridProcessor& processor, int width, int height) {
  if (!processor.split) return false;
  const auto near = [&](int side) {
    return std::max<std::int64_t>(processor.patch, nearest_multiple(side, token_side(processor)));
  };
  const auto pixels = static_cast<double>(near(width) * near(height));
  return pixels > static_cast<double>(whole_pixels(processor)) * processor.tolerance;
}

struct GridShape {
  std::int64_t rows = 0, columns = 0;
};

// Returns the grid whose proportions are nearest to the image's. Of grids with equal proportions, a
// larger one is taken if the image has more than half of its pixels.
GridShape nearest_grid(const GridProcessor& processor, int width, int height) {
  const double aspect = static_cast<double>(width) / height;
  const double area = static_cast<double>(width) * height;
  double least = std::numeric_limits<double>::infinity();
  GridShape best{1, 1};
  for (std::int64_t tiles = processor.min_tiles; tiles <= processor.max_tiles; ++tiles) {
    for (std::int64_t columns = 1; columns <= tiles; ++columns) {
      if (tiles % columns != 0) continue;
      const std::int64_t rows = tiles / columns;
      const double distance =
          std::abs(aspect - static_cast<double>(columns) / static_cast<double>(rows));
      const double half =
          0.5 * static_cast<double>(std::int64_t{processor.tile} * processor.tile * tiles);
      if (distance < least || (distance == least && area > half)) best = {rows, columns};
      least = std::min(least, distance);
    }
  }
  return best;
}

// Writes the patches of a view whose upper left corner is (x, y), each row by row with the channels
// of a pixel next to each other. Returns where the next ones go.
float* fill_view(const NormTable& table, const Image& rgb, PixelSize corner, PixelSize size,
                 int patch, float* out) {
  for (std::int64_t top = corner.height; top < corner.height + size.height; top += patch) {
    for (std::int64_t left = corner.width; left < corner.width + size.width; left += patch) {
      for (std::int64_t y = top; y < top + patch; ++y) {
        const std::uint8_t* row = rgb.row(static_cast<int>(y)) + 3 * left;
        for (std::ptrdiff_t i = 0; i < std::ptrdiff_t{3} * patch; ++i) {
          *out++ = table.of(static_cast<std::size_t>(i % 3))[row[i]];
        }
      }
    }
  }
  return out;
}

Image bilinear(const Image& rgb, std::int64_t width, std::int64_t height) {
  return image::resample(rgb, static_cast<int>(width), static_cast<int>(height),
                         image::Filter::bilinear, image::Arithmetic::torchvision);
}

}  // namespace

PixelInput plan_grid(const GridProcessor& processor, int width, int height) {
  check_grid(processor);
  const std::int64_t side = token_side(processor), patch = processor.patch;
  const PixelSize whole = size_in_budget(
      {side, processor.min_tokens * side * side, whole_pixels(processor)}, width, height, side);
  if (whole.width * whole.height > whole_pixels(processor)) {
    throw Error(ErrorCode::input,
                format("an image of {} x {} pixels is too thin for this model: it would become {} "
                       "x {} pixels, more than the model's {} tokens",
                       width, height, whole.width, whole.height, processor.max_tokens));
  }
  PixelInput input;
  input.grid = {1, 0, 0};
  input.width = static_cast<int>(whole.width);
  input.height = static_cast<int>(whole.height);
  if (is_cut(processor, width, height)) {
    const GridShape grid = nearest_grid(processor, width, height);
    input.grid = {1, grid.rows, grid.columns};
    const std::int64_t patches = processor.tile / patch;
    input.views.assign(static_cast<std::size_t>(grid.rows * grid.columns), {patches, patches});
  }
  if (input.views.empty() || processor.whole) {
    input.views.push_back({whole.height / patch, whole.width / patch});
  }
  std::int64_t patches = 0;
  for (const auto& [rows, columns] : input.views) patches += rows * columns;
  input.shape = {patches, 3 * patch * patch};
  input.tokens = patches / (std::int64_t{processor.merge} * processor.merge);
  return input;
}

PixelInput process_grid(const GridProcessor& processor, const Image& image) {
  PixelInput input = plan_grid(processor, image.width, image.height);
  const NormTable table(processor.norm, NormSteps::folded);
  const Image rgb = image::to_rgb(image, image::Alpha::on_white);
  input.values.resize(static_cast<std::size_t>(input.shape[0] * input.shape[1]));
  float* out = input.values.data();
  const std::int64_t tile = processor.tile, rows = input.grid[1], columns = input.grid[2];
  if (rows > 0) {
    const Image tiles = bilinear(rgb, columns * tile, rows * tile);
    for (std::int64_t y = 0; y < rows * tile; y += tile) {
      for (std::int64_t x = 0; x < columns * tile; x += tile) {
        out = fill_view(table, tiles, {x, y}, {tile, tile}, processor.patch, out);
      }
    }
  }
  // From the original and not from the image that was cut, as in the reference.
  if (rows == 0 || processor.whole) {
    fill_view(table, bilinear(rgb, input.width, input.height), {0, 0}, {input.width, input.height},
              processor.patch, out);
  }
  return input;
}

}  // namespace fineprint::preprocess
