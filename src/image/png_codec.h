// Reads and writes PNG with libpng.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "fineprint/core/image.h"

namespace fineprint::image {

// Throws Error(damaged), or Error(too_large) if there are more than `max_pixels`.
Image decode_png(std::span<const std::uint8_t> bytes, const std::string& name,
                 std::int64_t max_pixels);
// Encodes a grey, RGB or RGBA picture.
std::vector<std::uint8_t> write_png(const Image& image);

}  // namespace fineprint::image
