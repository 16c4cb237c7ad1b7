// JPEG through libjpeg-turbo.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "fineprint/core/image.h"

namespace fineprint::image {

bool is_jpeg(std::span<const std::uint8_t> bytes);
// Throws Error(damaged), Error(too_large).
Image decode_jpeg(std::span<const std::uint8_t> bytes, const std::string& name,
                  std::int64_t max_pixels);
// Grey or RGB only.
std::vector<std::uint8_t> write_jpeg(const Image& image, int quality);

}  // namespace fineprint::image
