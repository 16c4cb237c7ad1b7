// Plans sizes and cuts patches. Floating-point operations follow the reference's order, because
// some sizes fall on an edge where another order rounds to another multiple.
#include "preprocess/patch_processor.h"

#include <algorithm>
#include <cmath>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/image/resample.h"

#include "preprocess/image_processor_norm.h"

namespace fineprint::preprocess {
namespace {

constexpr std::int64_t kMaxRatio = 200;  // as in the reference, which refuses thinner images
constexpr int kMaxPatch = 1024, kMaxRepeats = 64;
// Limits what a configuration file can make us allocate: far more than any page needs.
constexpr std::int64_t kMaxPlannedPixels = 1 << 28;

void check_patches(const PatchProcessor& processor) {
  const auto within = [](int value, int limit) { return value >= 1 && value <= limit; };
  if (within(processor.patch, kMaxPatch) && within(processor.merge, kMaxRepeats) &&
      within(processor.temporal, kMaxRepeats) && processor.longest_edge >= 0 &&
      processor.min_pixels >= 0 &&
      processor.max_pixels >= std::max<std::int64_t>(processor.min_pixels, 1)) {
    return;
  }
  throw Error(ErrorCode::model,
              format("preprocessor_config.json: cannot use patches of {} pixels, {} frames, "
                     "merged by {}, within {} to {} pixels",
                     processor.patch, processor.temporal, processor.merge, processor.min_pixels,
                     processor.max_pixels));
}

// Returns the size within a longest edge.
PixelSize within_edge(const PatchProcessor& processor, std::int64_t width, std::int64_t height) {
  const std::int64_t factor = std::int64_t{processor.patch} * processor.merge;
  const double ratio =
      static_cast<double>(std::max(width, height)) / static_cast<double>(processor.longest_edge);
  const auto fitted_side = [&](std::int64_t side) {
    const double shrunk = std::floor(static_cast<double>(side) / ratio);
    const std::int64_t kept = ratio > 1 ? static_cast<std::int64_t>(shrunk) : side;
    return (kept + factor - 1) / factor * factor;
  };
  return {fitted_side(width), fitted_side(height)};
}

// Returns the size that the image is resized to.
PixelSize fitted(const PatchProcessor& processor, std::int64_t width, std::int64_t height) {
  if (processor.longest_edge > 0) return within_edge(processor, width, height);
  const std::int64_t factor = std::int64_t{processor.patch} * processor.merge;
  return size_in_budget({factor, processor.min_pixels, processor.max_pixels}, width, height, 0);
}

// Writes one patch in the order channel, frame, row, column. Returns where the next one goes.
float* fill_patch(const PatchProcessor& processor, const NormTable& table,
                  const std::uint8_t* corner, std::size_t stride, float* out) {
  const auto side = static_cast<std::size_t>(processor.patch);
  for (std::size_t c = 0; c < 3; ++c) {
    const std::array<float, 256>& values = table.of(c);
    const float* frame = out;
    for (std::size_t y = 0; y < side; ++y) {
      const std::uint8_t* row = corner + y * stride + c;
      for (std::size_t x = 0; x < side; ++x) *out++ = values[row[3 * x]];
    }
    // A still image has one frame; towers for video expect `temporal` of them.
    for (int i = 1; i < processor.temporal; ++i) out = std::copy_n(frame, side * side, out);
  }
  return out;
}

}  // namespace

std::int64_t nearest_multiple(std::int64_t value, std::int64_t factor) {
  std::int64_t count = value / factor;
  const std::int64_t rest = 2 * (value % factor);
  if (rest > factor || (rest == factor && count % 2 == 1)) ++count;
  return count * factor;
}

// Only a size outside the budget is computed from the proportions again; inside, each side is
// rounded alone, as the reference does.
PixelSize size_in_budget(const PixelBudget& budget, std::int64_t width, std::int64_t height,
                         std::int64_t least) {
  const std::int64_t factor = budget.factor;
  const auto step = static_cast<double>(factor);
  const PixelSize near{std::max(least, nearest_multiple(width, factor)),
                       std::max(least, nearest_multiple(height, factor))};
  const auto pixels = static_cast<double>(width * height);
  if (near.width * near.height > budget.max_pixels) {
    const double shrink = std::sqrt(pixels / static_cast<double>(budget.max_pixels));
    const auto down = [&](std::int64_t side) {
      const double count = std::floor(static_cast<double>(side) / shrink / step);
      return std::max(factor, static_cast<std::int64_t>(count) * factor);
    };
    return {down(width), down(height)};
  }
  if (near.width * near.height < budget.min_pixels) {
    const double grow = std::sqrt(static_cast<double>(budget.min_pixels) / pixels);
    const auto up = [&](std::int64_t side) {
      const double count = std::ceil(static_cast<double>(side) * grow / step);
      return static_cast<std::int64_t>(count) * factor;
    };
    return {up(width), up(height)};
  }
  return near;
}

PixelInput plan_patches(const PatchProcessor& processor, int width, int height) {
  check_patches(processor);
  if (std::max(width, height) > kMaxRatio * std::min(width, height)) {
    throw Error(ErrorCode::input,
                format("an image of {} x {} pixels is too thin for this model; its limit is {}:1",
                       width, height, kMaxRatio));
  }
  const PixelSize size = fitted(processor, width, height);
  if (size.width <= 0 || size.height <= 0 || size.width > kMaxPlannedPixels / size.height) {
    throw Error(
        ErrorCode::input,
        format("cannot resize an image of {} x {} pixels for this model; it would become {} x {}",
               width, height, size.width, size.height));
  }
  const std::int64_t rows = size.height / processor.patch, columns = size.width / processor.patch;
  PixelInput input;
  input.shape = {rows * columns,
                 std::int64_t{3} * processor.temporal * processor.patch * processor.patch};
  input.grid = {1, rows, columns};
  input.tokens = rows * columns / (processor.merge * processor.merge);
  input.width = static_cast<int>(size.width);
  input.height = static_cast<int>(size.height);
  return input;
}

void fill_patches(const PatchProcessor& processor, const Image& resized, PixelInput* input) {
  const NormTable table(processor.norm, NormSteps::folded);
  const int block = processor.patch * processor.merge;
  // Patches that become one token must follow each other: the loops go block by block, and within a
  // block patch by patch.
  input->values.resize(static_cast<std::size_t>(input->shape[0] * input->shape[1]));
  float* out = input->values.data();
  for (int top = 0; top < resized.height; top += block) {
    for (int left = 0; left < resized.width; left += block) {
      for (int y = top; y < top + block; y += processor.patch) {
        for (int x = left; x < left + block; x += processor.patch) {
          out = fill_patch(processor, table, resized.row(y) + std::ptrdiff_t{3} * x,
                           resized.stride(), out);
        }
      }
    }
  }
}

PixelInput process_patches(const PatchProcessor& processor, const Image& image) {
  PixelInput input = plan_patches(processor, image.width, image.height);
  const Image rgb = image::to_rgb(image, image::Alpha::on_white);
  fill_patches(processor,
               image::resample(rgb, input.width, input.height, image::Filter::bicubic,
                               image::Arithmetic::torchvision),
               &input);
  return input;
}

}  // namespace fineprint::preprocess
