// Decodes pictures from bytes and encodes them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "fineprint/core/image.h"

namespace fineprint::image {

// Decodes PNG, JPEG, WebP, HEIC or AVIF, recognised by the first bytes. The result has 8 bits per
// channel: palettes and grey levels are expanded, 16 bits are reduced. If the file has several
// pictures, returns the first. `name` is used in messages. Throws Error(damaged),
// Error(unsupported), or Error(too_large) if there are more than `max_pixels`.
Image decode(std::span<const std::uint8_t> bytes, const std::string& name,
             std::int64_t max_pixels = 400'000'000);

// Returns whether the first bytes are those of WebP, HEIC or AVIF. MuPDF cannot read these formats,
// so they are converted to PNM for it.
bool is_converted(std::span<const std::uint8_t> bytes);
// Returns all pictures of such a file as RGB. Throws as `decode` does.
std::vector<Image> decode_converted(std::span<const std::uint8_t> bytes, const std::string& name,
                                    std::int64_t max_pixels = 400'000'000);
// Returns the pictures as PNM, one after the other. Throws Error(internal) if one is neither grey
// nor RGB.
std::string encode_pnm(const std::vector<Image>& images);

// Decodes a grey or YCbCr JPEG and shrinks it on the way. The scale is the smallest of 1/8, 1/4,
// 1/2 and 1 that gives at least `width` x `height` pixels, with sides rounded up. If the picture
// has fewer pixels, it is decoded in full. Throws Error(damaged), Error(unsupported) for other
// colours, or Error(too_large) if the result has more than `max_pixels`.
Image decode_jpeg_at_least(std::span<const std::uint8_t> bytes, int width, int height,
                           std::int64_t max_pixels = 400'000'000);

// Encode grey, RGB or RGBA pictures; JPEG lays transparent pixels over white. `quality` is 1 to
// 100. Throw Error(internal) if the picture cannot be encoded.
std::vector<std::uint8_t> encode_png(const Image& image);
std::vector<std::uint8_t> encode_jpeg(const Image& image, int quality = 90);

}  // namespace fineprint::image
