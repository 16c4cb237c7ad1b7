// Resizes pictures bit for bit as the preprocessing of the vision models does.
#pragma once

#include <span>
#include <vector>

#include "fineprint/core/image.h"

namespace fineprint::image {

// The shape of the filter, as a function of the distance between pixels.
enum class Filter {
  bilinear,
  bicubic,  // a = -0.5
  lanczos,  // with three lobes
};

// The library whose 8-bit arithmetic is reproduced. Both libraries widen the filter when shrinking,
// process rows first, round to 8 bits between the passes, and skip a pass that changes nothing.
enum class Arithmetic {
  pillow,  // Pillow up to 11: weights with 22 fractional bits
  // torchvision on 8-bit tensors: 16-bit weights, with as many fractional bits as the largest
  // weight allows
  torchvision,
};

// Returns `rgb`, a picture of 3 channels, in the given size. Throws Error(input) if a side is not
// positive or above 2^20, and Error(internal) if the picture is not RGB. Source: Pillow's
// resampling filters; "antialias" of PyTorch's interpolate.
Image resample(const Image& rgb, int width, int height, Filter filter, Arithmetic arithmetic);

// Size of a plane of `height` rows of `width` values.
struct PlaneSize {
  int width = 0, height = 0;
};

// Resizes planes of floats as PyTorch's bicubic interpolation does (a = -0.75, edges repeated,
// pixel centres aligned). Each result value depends on 4 x 4 values, so values are skipped when
// shrinking. `planes` holds one plane after the other. Returns as many planes of the size `to`.
// Throws Error(input) if a side is not positive, and Error(internal) if `planes` does not consist
// of complete planes.
std::vector<float> sample_bicubic(std::span<const float> planes, PlaneSize from, PlaneSize to);

// What happens to transparent pixels.
enum class Alpha {
  on_white,  // they are laid over white
  dropped,   // colours are kept as stored, however transparent they are
};

// Returns a grey, RGB or RGBA picture as RGB.
Image to_rgb(const Image& image, Alpha alpha);

// Returns the picture with rows and columns exchanged.
Image transpose(const Image& rgb);

}  // namespace fineprint::image
