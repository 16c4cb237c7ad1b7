// Chooses the codec by the first bytes and keeps pictures within limits.
#include "fineprint/image/codec.h"

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

#include "image/jpeg_codec.h"
#include "image/limits.h"
#include "image/on_white.h"
#include "image/png_codec.h"

namespace fineprint::image {

void check_pixels(std::int64_t width, std::int64_t height, const std::string& name,
                  std::int64_t max_pixels) {
  if (width <= 0 || height <= 0) {
    throw Error(ErrorCode::damaged, format("{}: a picture of {} x {} pixels", name, width, height));
  }
  if (width > max_pixels / height) {
    throw Error(ErrorCode::too_large, format("{}: {} x {} pixels are more than the limit of {}",
                                             name, width, height, max_pixels));
  }
}

void check_whole(const Image& image) {
  const bool known = image.channels == 1 || image.channels == 3 || image.channels == 4;
  if (!known || image.width <= 0 || image.height <= 0 ||
      image.pixels.size() != image.stride() * static_cast<std::size_t>(image.height)) {
    throw Error(ErrorCode::internal,
                format("an image of {} x {} x {} with {} bytes of pixels", image.width,
                       image.height, image.channels, image.pixels.size()));
  }
}

Image decode(std::span<const std::uint8_t> bytes, const std::string& name,
             std::int64_t max_pixels) {
  if (is_png(bytes)) return decode_png(bytes, name, max_pixels);
  if (is_jpeg(bytes)) return decode_jpeg(bytes, name, max_pixels);
  throw Error(ErrorCode::unsupported, format("{}: neither PNG nor JPEG", name));
}

std::vector<std::uint8_t> encode_png(const Image& image) {
  check_whole(image);
  return write_png(image);
}

std::vector<std::uint8_t> encode_jpeg(const Image& image, int quality) {
  check_whole(image);
  return write_jpeg(image.channels == 4 ? on_white(image) : image, quality);
}

}  // namespace fineprint::image
