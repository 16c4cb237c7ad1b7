// Images as a global view and a grid of tiles (Phi-3-vision).
#pragma once

#include "fineprint/preprocess/image_processor.h"

namespace fineprint::preprocess {

PixelInput plan_tiles(const TileProcessor& processor, int width, int height);

// The image resized and padded with white to whole tiles.
Image pad_to_tiles(const TileProcessor& processor, const Image& image);

PixelInput process_tiles(const TileProcessor& processor, const Image& image);

}  // namespace fineprint::preprocess
