// Cuts images into patches; the resized image keeps the proportions (Qwen2-VL and its relatives).
#pragma once

#include "fineprint/preprocess/image_processor.h"

namespace fineprint::preprocess {

// A size in pixels.
struct PixelSize {
  std::int64_t width = 0, height = 0;
};

// Sides must be multiples of `factor`, and have a number of pixels within limits.
struct PixelBudget {
  std::int64_t factor = 1, min_pixels = 0, max_pixels = 0;
};

// Returns the nearest multiple. Rounds halves to the even multiple, as Python's round() does in the
// reference.
std::int64_t nearest_multiple(std::int64_t value, std::int64_t factor);

// Returns the size that an image is resized to. Sides are at least `least` before they are compared
// with the limits. A size above them can remain above if the image is thin, because a side does not
// become shorter than the factor. Source: Wang et al., "Qwen2-VL" (2024), section 2.1; the
// reference's processors.
PixelSize size_in_budget(const PixelBudget& budget, std::int64_t width, std::int64_t height,
                         std::int64_t least);

// Computes the sizes for an image of `width` x `height` pixels; see plan_pixels.
PixelInput plan_patches(const PatchProcessor& processor, int width, int height);

// Cuts an RGB image of the planned size into patches and writes them to `input->values`.
void fill_patches(const PatchProcessor& processor, const Image& resized, PixelInput* input);

// Resizes an image as planned and cuts it into patches.
PixelInput process_patches(const PatchProcessor& processor, const Image& image);

}  // namespace fineprint::preprocess
