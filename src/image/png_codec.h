// PNG through libpng.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "fineprint/core/image.h"

namespace fineprint::image {

bool is_png(std::span<const std::uint8_t> bytes);
// Throws Error(damaged), Error(too_large).
Image decode_png(std::span<const std::uint8_t> bytes, const std::string& name,
                 std::int64_t max_pixels);
std::vector<std::uint8_t> write_png(const Image& image);

}  // namespace fineprint::image
