// Images as patches of a size that follows the image (Qwen2-VL and its kin).
#pragma once

#include "fineprint/preprocess/image_processor.h"

namespace fineprint::preprocess {

PixelInput plan_patches(const PatchProcessor& processor, int width, int height);

// Cuts an RGB image of the planned size into patches.
void fill_patches(const PatchProcessor& processor, const Image& resized, PixelInput* input);

PixelInput process_patches(const PatchProcessor& processor, const Image& image);

}  // namespace fineprint::preprocess
