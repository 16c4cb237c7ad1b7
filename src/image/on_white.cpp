// Transparency laid over white paper.
#include "image/on_white.h"

namespace fineprint::image {

Image on_white(const Image& rgba) {
  Image rgb{rgba.width, rgba.height, 3, {}};
  rgb.pixels.resize(rgb.stride() * static_cast<std::size_t>(rgb.height));
  const std::size_t count = rgb.pixels.size() / 3;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint8_t* in = &rgba.pixels[i * 4];
    for (std::size_t c = 0; c < 3; ++c) {
      const int mixed = in[c] * in[3] + 255 * (255 - in[3]);
      rgb.pixels[i * 3 + c] = static_cast<std::uint8_t>((mixed + 127) / 255);
    }
  }
  return rgb;
}

}  // namespace fineprint::image
