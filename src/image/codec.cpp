// Chooses the codec by the first bytes and keeps pictures within limits.
#include "fineprint/image/codec.h"

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

#include "image/jpeg_codec.h"
#include "image/pixels.h"
#include "image/png_codec.h"

namespace fineprint::image {

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
