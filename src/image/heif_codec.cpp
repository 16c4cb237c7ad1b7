// Decodes pictures from the container of HEIC and AVIF.
#include "image/heif_codec.h"

#include <array>
#include <cstring>
#include <memory>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

#include "image/heif_library.h"
#include "image/pixels.h"

namespace fineprint::image {
namespace {

using Context = std::unique_ptr<heif_context, void (*)(heif_context*)>;
using Handle = std::unique_ptr<const heif_image_handle, void (*)(const heif_image_handle*)>;
using Decoded = std::unique_ptr<const heif_image, void (*)(const heif_image*)>;

// Throws the Error for a failure of libheif.
void check_heif(const heif_error& error, const std::string& name) {
  if (error.code == heif_error_Ok) return;
  const bool unknown =
      error.code == heif_error_Unsupported_feature || error.code == heif_error_Unsupported_filetype;
  // libheif has limits of its own, which say that a file is too large and not that it is damaged.
  const bool large = error.subcode == heif_suberror_Security_limit_exceeded;
  throw Error(large     ? ErrorCode::too_large
              : unknown ? ErrorCode::unsupported
                        : ErrorCode::damaged,
              format("{}: cannot read this HEIC or AVIF picture: {}", name,
                     error.message == nullptr ? "damaged" : error.message));
}

Image decode_picture(const heif_image_handle* handle, const std::string& name,
                     std::int64_t max_pixels) {
  // Checked before decoding, because decoding allocates the memory.
  check_pixels(heif().image_handle_get_width(handle), heif().image_handle_get_height(handle), name,
               max_pixels);
  heif_image* pointer = nullptr;
  const heif_error failure = heif().decode_image(handle, &pointer, heif_colorspace_RGB,
                                                 heif_chroma_interleaved_RGB, nullptr);
  const Decoded decoded(pointer, heif().image_release);
  check_heif(failure, name);
  // libheif aligns rows, so they are copied one by one.
  int stride = 0;
  const std::uint8_t* rows =
      heif().image_get_plane_readonly(decoded.get(), heif_channel_interleaved, &stride);
  Image image{.width = heif().image_get_width(decoded.get(), heif_channel_interleaved),
              .height = heif().image_get_height(decoded.get(), heif_channel_interleaved),
              .channels = 3,
              .pixels = {}};
  if (rows == nullptr || image.width <= 0 || image.height <= 0) {
    throw Error(ErrorCode::damaged, format("{}: this file has a picture without pixels", name));
  }
  image.pixels.resize(image.stride() * static_cast<std::size_t>(image.height));
  for (int y = 0; y < image.height; ++y) {
    std::memcpy(image.row(y), rows + std::ptrdiff_t{stride} * y, image.stride());
  }
  return image;
}

}  // namespace

std::vector<Image> decode_heif(std::span<const std::uint8_t> bytes, const std::string& name,
                               std::int64_t max_pixels) {
  const Context context(heif().context_alloc(), heif().context_free);
  if (context == nullptr) throw Error(ErrorCode::out_of_memory, "HEIF: no memory for a decoder");
  check_heif(heif().context_read_from_memory_without_copy(context.get(), bytes.data(), bytes.size(),
                                                          nullptr),
             name);
  // Far more than bursts and live photos have; each picture becomes a page.
  constexpr int kMostPictures = 100;
  std::array<heif_item_id, kMostPictures> ids{};
  const int count = heif().context_get_number_of_top_level_images(context.get());
  if (count > kMostPictures) {
    throw Error(ErrorCode::too_large,
                format("{}: this file has {} pictures, more than the limit of {}", name, count,
                       kMostPictures));
  }
  heif().context_get_list_of_top_level_image_ids(context.get(), ids.data(), kMostPictures);
  std::vector<Image> pictures;
  std::int64_t pixels = 0;
  for (int i = 0; i < count; ++i) {
    heif_image_handle* pointer = nullptr;
    const heif_error failure =
        heif().context_get_image_handle(context.get(), ids[static_cast<std::size_t>(i)], &pointer);
    const Handle handle(pointer, heif().image_handle_release);
    check_heif(failure, name);
    pictures.push_back(decode_picture(handle.get(), name, max_pixels));
    pixels += std::int64_t{pictures.back().width} * pictures.back().height;
    // A file of many pictures may take more memory than one, but not without limit.
    if (pixels > 4 * max_pixels) {
      throw Error(ErrorCode::too_large, format("{}: its {} pictures have more than {} pixels", name,
                                               count, 4 * max_pixels));
    }
  }
  if (pictures.empty())
    throw Error(ErrorCode::damaged, format("{}: this file has no pictures", name));
  return pictures;
}

}  // namespace fineprint::image
