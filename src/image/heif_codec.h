// Decodes HEIC, HEIF and AVIF with libheif.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "fineprint/core/image.h"

namespace fineprint::image {

// Returns all pictures that are not parts of others, as RGB and turned as the file asks. Throws
// Error(damaged), Error(unsupported), or Error(too_large) if one has more than `max_pixels` or all
// together have more than four times as many.
std::vector<Image> decode_heif(std::span<const std::uint8_t> bytes, const std::string& name,
                               std::int64_t max_pixels);

}  // namespace fineprint::image
