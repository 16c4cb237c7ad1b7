// Reads and writes JPEG with libjpeg-turbo.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "fineprint/core/image.h"

namespace fineprint::image {

// Decodes to grey or RGB. Throws Error(damaged), or Error(too_large) if there are more than
// `max_pixels`.
Image decode_jpeg(std::span<const std::uint8_t> bytes, const std::string& name,
                  std::int64_t max_pixels);
// Encodes a grey or RGB picture.
std::vector<std::uint8_t> write_jpeg(const Image& image, int quality);

}  // namespace fineprint::image
