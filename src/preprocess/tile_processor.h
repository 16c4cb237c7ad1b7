// Cuts an image into a global view and a grid of tiles (Phi-3-vision).
#pragma once

#include "fineprint/preprocess/image_processor.h"

namespace fineprint::preprocess {

// Computes the sizes for an image of `width` x `height` pixels; see plan_pixels.
PixelInput plan_tiles(const TileProcessor& processor, int width, int height);

// Returns the image resized, and padded with white to full tiles.
Image pad_to_tiles(const TileProcessor& processor, const Image& image);

// Pads an image, cuts it into tiles and puts the global view first.
PixelInput process_tiles(const TileProcessor& processor, const Image& image);

}  // namespace fineprint::preprocess
