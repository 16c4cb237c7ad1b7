// Images at one fixed size (SigLIP, PaliGemma).
#pragma once

#include "fineprint/preprocess/image_processor.h"

namespace fineprint::preprocess {

PixelInput plan_square(const SquareProcessor& processor);
PixelInput process_square(const SquareProcessor& processor, const Image& image);

}  // namespace fineprint::preprocess
