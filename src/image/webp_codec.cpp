// Decodes still pictures in WebP.
#include "image/webp_codec.h"

#include <webp/decode.h>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

#include "image/pixels.h"

namespace fineprint::image {

Image decode_webp(std::span<const std::uint8_t> bytes, const std::string& name,
                  std::int64_t max_pixels) {
  WebPBitstreamFeatures features{};
  if (WebPGetFeatures(bytes.data(), bytes.size(), &features) != VP8_STATUS_OK) {
    throw Error(ErrorCode::damaged, format("{}: damaged WebP: its header is invalid", name));
  }
  if (features.has_animation != 0) {
    throw Error(ErrorCode::unsupported,
                format("{}: animated WebP is not supported; save its pictures one by one", name));
  }
  // Checked before allocating, because a short file may claim a huge picture.
  check_pixels(features.width, features.height, name, max_pixels);
  Image image{.width = features.width,
              .height = features.height,
              .channels = features.has_alpha != 0 ? 4 : 3,
              .pixels = {}};
  image.pixels.resize(image.stride() * static_cast<std::size_t>(image.height));
  const auto* decoded =
      features.has_alpha != 0
          ? WebPDecodeRGBAInto(bytes.data(), bytes.size(), image.pixels.data(), image.pixels.size(),
                               static_cast<int>(image.stride()))
          : WebPDecodeRGBInto(bytes.data(), bytes.size(), image.pixels.data(), image.pixels.size(),
                              static_cast<int>(image.stride()));
  if (decoded == nullptr) throw Error(ErrorCode::damaged, format("{}: damaged WebP", name));
  return image.channels == 4 ? on_white(image) : image;
}

}  // namespace fineprint::image
