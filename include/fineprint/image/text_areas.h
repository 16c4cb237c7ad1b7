// Finds lines of text in the map of a detection network, and cuts them out of a picture.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "fineprint/core/image.h"

namespace fineprint::image {

// A place in a picture, in pixels.
struct Spot {
  float x = 0, y = 0;
};

// A rectangle that may be tilted: its corners clockwise, from the upper left one on.
using Tilted = std::array<Spot, 4>;

// How areas of text are found, by the names of the DB method ("Real-time Scene Text Detection with
// Differentiable Binarization", arXiv 1911.08947). The values are those of RapidOCR's package.
struct TextAreaOptions {
  float ink = 0.3F;         // a pixel above this belongs to text
  float least_mean = 0.5F;  // of the pixels of an area
  float growth = 1.6F;      // the network draws areas smaller than the text; see text_areas
  std::size_t most = 1000;  // areas
};

// Returns the areas of text in a map of probabilities of `width` x `height`, scaled to a picture of
// `picture_width` x `picture_height`: in lines from the top, and from left to right in a line. Each
// area is grown on every side by its size divided by its circumference, times `growth`. Throws
// Error(internal) if the map has another number of values.
std::vector<Tilted> text_areas(std::span<const float> map, int width, int height, int picture_width,
                               int picture_height, const TextAreaOptions& options = {});

// Returns the picture of an area as an upright rectangle. An area at least half as high again as it
// is wide is taken for a line that runs down the page, and is turned to the left by a quarter.
Image cut_area(const Image& grey, const Tilted& area);
// Returns whether cut_area turns the area.
bool is_turned(const Tilted& area);

// Returns the grey picture in the given size, by linear interpolation without averaging, as the
// networks were trained. Throws Error(internal) if a side is not positive.
Image resize_linear(const Image& grey, int width, int height);

}  // namespace fineprint::image
