// Pictures in and out of bytes.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "fineprint/core/image.h"

namespace fineprint::image {

// PNG or JPEG by their first bytes; 8 bits a channel, palettes and grey levels expanded, 16 bits
// reduced. Throws Error(damaged), Error(unsupported), or Error(too_large) over `max_pixels`.
Image decode(std::span<const std::uint8_t> bytes, const std::string& name,
             std::int64_t max_pixels = 400'000'000);

std::vector<std::uint8_t> encode_png(const Image& image);
std::vector<std::uint8_t> encode_jpeg(const Image& image, int quality = 90);

}  // namespace fineprint::image
