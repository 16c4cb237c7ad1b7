// Resizing that equals, bit for bit, what the vision models' own preprocessing does.
#pragma once

#include <span>
#include <vector>

#include "fineprint/core/image.h"

namespace fineprint::image {

enum class Filter {
  bilinear,
  bicubic,  // a = -0.5
  lanczos,  // three lobes
};

// Whose 8-bit arithmetic is followed. Both widen the filter when shrinking, go over the rows first,
// round to 8 bits between the passes, and skip a pass that changes nothing.
enum class Arithmetic {
  pillow,       // Pillow up to 11: weights with 22 fractional bits
  torchvision,  // torchvision on 8-bit tensors: 16-bit weights, as precise as the largest allows
};

// `rgb` has 3 channels. Throws Error(input) for a size of no pixels or over 2^20 a side.
// Source: Pillow's resampling filters; "antialias" of PyTorch's interpolate.
Image resample(const Image& rgb, int width, int height, Filter filter, Arithmetic arithmetic);

// One plane after the other, each `height` rows of `width` values.
struct PlaneSize {
  int width = 0, height = 0;
};

// PyTorch's bicubic interpolation (a = -0.75, edges repeated, pixel centres aligned), which looks
// at 4 x 4 values wherever it lands and so skips values when shrinking. Returns as many planes of
// the size `to`. Throws Error(input) for a size of no pixels, Error(internal) when `planes` is not
// a whole number of planes.
std::vector<float> sample_bicubic(std::span<const float> planes, PlaneSize from, PlaneSize to);

enum class Alpha {
  on_white,  // laid over white paper
  dropped,   // colours as stored, however transparent
};

// Grey and RGBA to RGB.
Image to_rgb(const Image& image, Alpha alpha);

// Rows become columns.
Image transpose(const Image& rgb);

}  // namespace fineprint::image
