// WebP through libwebp.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "fineprint/core/image.h"

namespace fineprint::image {

bool is_webp(std::span<const std::uint8_t> bytes);
// RGB, on white where it is transparent. Throws Error(damaged), Error(unsupported) for moving
// pictures, Error(too_large).
Image decode_webp(std::span<const std::uint8_t> bytes, const std::string& name,
                  std::int64_t max_pixels);

}  // namespace fineprint::image
