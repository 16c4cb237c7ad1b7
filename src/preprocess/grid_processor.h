// Cuts an image into a grid of tiles, followed by the whole image, and all of them into patches
// (LFM2-VL).
#pragma once

#include "fineprint/preprocess/image_processor.h"

namespace fineprint::preprocess {

// Computes the sizes for an image of `width` x `height` pixels; see plan_pixels.
PixelInput plan_grid(const GridProcessor& processor, int width, int height);
// Resizes and cuts an image as planned.
PixelInput process_grid(const GridProcessor& processor, const Image& image);

}  // namespace fineprint::preprocess
