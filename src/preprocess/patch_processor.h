// Cuts images into patches; the resized image keeps the proportions (Qwen2-VL and its relatives).
#pragma once

#include "fineprint/preprocess/image_processor.h"

namespace fineprint::preprocess {

// Computes the sizes for an image of `width` x `height` pixels; see plan_pixels.
PixelInput plan_patches(const PatchProcessor& processor, int width, int height);

// Cuts an RGB image of the planned size into patches and writes them to `input->values`.
void fill_patches(const PatchProcessor& processor, const Image& resized, PixelInput* input);

// Resizes an image as planned and cuts it into patches.
PixelInput process_patches(const PatchProcessor& processor, const Image& image);

}  // namespace fineprint::preprocess
