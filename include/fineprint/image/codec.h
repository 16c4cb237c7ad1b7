// Pictures in and out of bytes.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "fineprint/core/image.h"

namespace fineprint::image {

// PNG, JPEG, WebP, HEIC or AVIF by their first bytes; 8 bits a channel, palettes and grey levels
// expanded, 16 bits reduced; of several pictures in one file the first. Throws Error(damaged),
// Error(unsupported), or Error(too_large) over `max_pixels`.
Image decode(std::span<const std::uint8_t> bytes, const std::string& name,
             std::int64_t max_pixels = 400'000'000);

// Whether it is WebP, HEIC or AVIF by its first bytes: what becomes PNM for whoever knows only
// that.
bool is_converted(std::span<const std::uint8_t> bytes);
// All pictures of such a file, RGB. Throws as `decode` does.
std::vector<Image> decode_converted(std::span<const std::uint8_t> bytes, const std::string& name,
                                    std::int64_t max_pixels = 400'000'000);
// Pictures behind each other as PNM, grey or RGB.
std::string encode_pnm(const std::vector<Image>& images);

// A grey or YCbCr JPEG, shrunk while it is decoded: by the least of 1/8, 1/4, 1/2 and 1 that gives
// `width` x `height` pixels, sides rounded up; whole when it has fewer. Throws Error(damaged),
// Error(unsupported) for other colours, or Error(too_large) for a result over `max_pixels`.
Image decode_jpeg_at_least(std::span<const std::uint8_t> bytes, int width, int height,
                           std::int64_t max_pixels = 400'000'000);

std::vector<std::uint8_t> encode_png(const Image& image);
std::vector<std::uint8_t> encode_jpeg(const Image& image, int quality = 90);

}  // namespace fineprint::image
