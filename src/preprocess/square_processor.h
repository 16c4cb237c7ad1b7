// Resizes images to one fixed size (SigLIP, PaliGemma).
#pragma once

#include "fineprint/preprocess/image_processor.h"

namespace fineprint::preprocess {

// Returns the sizes, which are the same for every image; see plan_pixels.
PixelInput plan_square(const SquareProcessor& processor);
// Resizes an image to the fixed size.
PixelInput process_square(const SquareProcessor& processor, const Image& image);

}  // namespace fineprint::preprocess
