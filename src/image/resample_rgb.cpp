// Prepares pictures for resampling: as RGB, or transposed.
#include <algorithm>

#include "fineprint/image/resample.h"

#include "image/pixels.h"

namespace fineprint::image {
namespace {

Image empty_rgb(int width, int height) {
  Image rgb{.width = width, .height = height, .channels = 3, .pixels = {}};
  rgb.pixels.resize(rgb.stride() * static_cast<std::size_t>(height));
  return rgb;
}

}  // namespace

Image to_rgb(const Image& image, Alpha alpha) {
  check_whole(image);
  if (image.channels == 3) return image;
  if (image.channels == 4 && alpha == Alpha::on_white) return on_white(image);
  Image rgb = empty_rgb(image.width, image.height);
  const auto channels = static_cast<std::size_t>(image.channels);
  for (std::size_t i = 0; i < rgb.pixels.size() / 3; ++i) {
    for (std::size_t c = 0; c < 3; ++c) {
      rgb.pixels[i * 3 + c] = image.pixels[i * channels + (channels == 4 ? c : 0)];
    }
  }
  return rgb;
}

Image transpose(const Image& rgb) {
  constexpr int kTile = 32;  // pixels per side of a tile that stays in the first-level cache
  check_whole(rgb);
  Image out = empty_rgb(rgb.height, rgb.width);
  // In tiles, because writing complete columns would miss the cache at each pixel.
  for (int top = 0; top < rgb.height; top += kTile) {
    for (int x = 0; x < rgb.width; ++x) {
      for (int y = top; y < std::min(top + kTile, rgb.height); ++y) {
        std::copy_n(rgb.row(y) + x * 3, 3, out.row(x) + y * 3);
      }
    }
  }
  return out;
}

}  // namespace fineprint::image
