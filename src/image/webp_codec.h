// Decodes WebP with libwebp.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "fineprint/core/image.h"

namespace fineprint::image {

// Returns RGB, with transparent pixels laid over white. Throws Error(damaged), Error(unsupported)
// for animations, or Error(too_large).
Image decode_webp(std::span<const std::uint8_t> bytes, const std::string& name,
                  std::int64_t max_pixels);

}  // namespace fineprint::image
