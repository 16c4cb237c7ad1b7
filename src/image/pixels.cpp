// Checks pictures and removes transparency.
#include "image/pixels.h"

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

namespace fineprint::image {

void check_pixels(std::int64_t width, std::int64_t height, const std::string& name,
                  std::int64_t max_pixels) {
  if (width <= 0 || height <= 0) {
    throw Error(ErrorCode::damaged,
                format("{}: the picture has {} x {} pixels", name, width, height));
  }
  // Divides, because the product may overflow.
  if (width > max_pixels / height) {
    throw Error(ErrorCode::too_large,
                format("{}: the picture has {} x {} pixels, more than the limit of {}", name, width,
                       height, max_pixels));
  }
}

void check_whole(const Image& image) {
  const bool known = image.channels == 1 || image.channels == 3 || image.channels == 4;
  if (!known || image.width <= 0 || image.height <= 0 ||
      image.pixels.size() != image.stride() * static_cast<std::size_t>(image.height)) {
    throw Error(ErrorCode::internal,
                format("inconsistent image: {} x {} x {} with {} bytes of pixels", image.width,
                       image.height, image.channels, image.pixels.size()));
  }
}

Image on_white(const Image& rgba) {
  Image rgb{.width = rgba.width, .height = rgba.height, .channels = 3, .pixels = {}};
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
