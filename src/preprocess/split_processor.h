// Images as a grid of tiles and the whole image (Idefics3, SmolVLM).
#pragma once

#include "fineprint/preprocess/image_processor.h"

namespace fineprint::preprocess {

PixelInput plan_split(const SplitProcessor& processor, int width, int height);
PixelInput process_split(const SplitProcessor& processor, const Image& image);

}  // namespace fineprint::preprocess
