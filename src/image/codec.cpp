// Selects the codec by the first bytes and enforces limits.
#include "fineprint/image/codec.h"

#include <algorithm>
#include <string_view>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/formats.h"

#include "image/heif_codec.h"
#include "image/jpeg_codec.h"
#include "image/pixels.h"
#include "image/png_codec.h"
#include "image/webp_codec.h"

namespace fineprint::image {
namespace {

std::string_view text_of(std::span<const std::uint8_t> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

bool is_of_format(std::string_view extension, std::span<const std::uint8_t> bytes) {
  return format_of_extension(extension)->fits(text_of(bytes));
}

// Returns whether the bytes are of a format that `reader` opens.
bool is_for(FormatReader reader, std::span<const std::uint8_t> bytes) {
  return std::ranges::any_of(file_formats(), [&](const FileFormat& format) {
    return format.reader == reader && format.fits(text_of(bytes));
  });
}

}  // namespace

Image decode(std::span<const std::uint8_t> bytes, const std::string& name,
             std::int64_t max_pixels) {
  if (is_of_format("png", bytes)) return decode_png(bytes, name, max_pixels);
  if (is_of_format("jpg", bytes)) return decode_jpeg(bytes, name, max_pixels);
  if (is_for(FormatReader::webp, bytes)) return decode_webp(bytes, name, max_pixels);
  if (is_for(FormatReader::heif, bytes)) return decode_heif(bytes, name, max_pixels).front();
  throw Error(ErrorCode::unsupported,
              format("{}: this picture is not PNG, JPEG, WebP, HEIC or AVIF", name));
}

std::vector<Image> decode_converted(std::span<const std::uint8_t> bytes, const std::string& name,
                                    std::int64_t max_pixels) {
  if (is_for(FormatReader::heif, bytes)) return decode_heif(bytes, name, max_pixels);
  return {decode_webp(bytes, name, max_pixels)};
}

bool is_converted(std::span<const std::uint8_t> bytes) {
  return is_for(FormatReader::webp, bytes) || is_for(FormatReader::heif, bytes);
}

std::string encode_pnm(const std::vector<Image>& images) {
  std::string out;
  for (const Image& image : images) {
    check_whole(image);
    if (image.channels != 1 && image.channels != 3) {
      throw Error(ErrorCode::internal, "PNM can hold only grey and RGB pictures");
    }
    out += format("P{}\n{} {}\n255\n", image.channels == 3 ? 6 : 5, image.width, image.height);
    out.append(reinterpret_cast<const char*>(image.pixels.data()), image.pixels.size());
  }
  return out;
}

std::vector<std::uint8_t> encode_png(const Image& image) {
  check_whole(image);
  return write_png(image);
}

std::vector<std::uint8_t> encode_jpeg(const Image& image, int quality) {
  check_whole(image);
  // JPEG has no transparency.
  return write_jpeg(image.channels == 4 ? on_white(image) : image, quality);
}

}  // namespace fineprint::image
