// Passes an image to the processor that the model's configuration asks for.
#include "fineprint/preprocess/image_processor.h"

#include <algorithm>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

#include "preprocess/grid_processor.h"
#include "preprocess/patch_processor.h"
#include "preprocess/split_processor.h"
#include "preprocess/square_processor.h"
#include "preprocess/tile_processor.h"

namespace fineprint::preprocess {
namespace {

// A larger side belongs to no page. The limit also keeps every product of two sides, times a few
// channels, far from overflowing 64 bits.
constexpr int kMaxSide = 1 << 20;

void check_size(int width, int height) {
  if (width > 0 && height > 0 && width <= kMaxSide && height <= kMaxSide) return;
  throw Error(ErrorCode::input, format("a model cannot take an image of {} x {} pixels; "
                                       "each side must have 1 to {} pixels",
                                       width, height, kMaxSide));
}

// Overloads, so that std::visit fails to compile if a kind of processor has none.
PixelInput plan_image(const PatchProcessor& processor, int width, int height) {
  return plan_patches(processor, width, height);
}
PixelInput plan_image(const TileProcessor& processor, int width, int height) {
  return plan_tiles(processor, width, height);
}
PixelInput plan_image(const SquareProcessor& processor, int /*width*/, int /*height*/) {
  return plan_square(processor);
}
PixelInput plan_image(const SplitProcessor& processor, int width, int height) {
  return plan_split(processor, width, height);
}
PixelInput plan_image(const GridProcessor& processor, int width, int height) {
  return plan_grid(processor, width, height);
}

PixelInput process(const PatchProcessor& processor, const Image& image) {
  return process_patches(processor, image);
}
PixelInput process(const TileProcessor& processor, const Image& image) {
  return process_tiles(processor, image);
}
PixelInput process(const SquareProcessor& processor, const Image& image) {
  return process_square(processor, image);
}
PixelInput process(const SplitProcessor& processor, const Image& image) {
  return process_split(processor, image);
}
PixelInput process(const GridProcessor& processor, const Image& image) {
  return process_grid(processor, image);
}

}  // namespace

std::int64_t most_pixels(const ImageProcessor& processor) {
  if (const auto* patches = std::get_if<PatchProcessor>(&processor)) {
    const std::int64_t edge = patches->longest_edge;
    return edge > 0 ? edge * edge : patches->max_pixels;
  }
  if (const auto* tiles = std::get_if<TileProcessor>(&processor)) {
    return std::int64_t{tiles->max_tiles} * tiles->tile * tiles->tile;
  }
  if (const auto* split = std::get_if<SplitProcessor>(&processor)) {
    const int edge = split->split ? split->longest_edge : split->tile;
    return std::int64_t{edge} * edge;
  }
  if (const auto* grid = std::get_if<GridProcessor>(&processor)) {
    const std::int64_t side = std::int64_t{grid->patch} * grid->merge;
    const std::int64_t whole = grid->max_tokens * side * side;
    return grid->split ? std::max(whole, std::int64_t{grid->max_tiles} * grid->tile * grid->tile)
                       : whole;
  }
  const auto& square = std::get<SquareProcessor>(processor);
  return std::int64_t{square.width} * square.height;
}

PixelInput plan_pixels(const ImageProcessor& processor, int width, int height) {
  check_size(width, height);
  return std::visit([&](const auto& kind) { return plan_image(kind, width, height); }, processor);
}

PixelInput process_image(const ImageProcessor& processor, const Image& image) {
  check_size(image.width, image.height);
  return std::visit([&](const auto& kind) { return process(kind, image); }, processor);
}

}  // namespace fineprint::preprocess
