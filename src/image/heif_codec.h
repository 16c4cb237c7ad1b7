// HEIC, HEIF and AVIF through libheif.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "fineprint/core/image.h"

namespace fineprint::image {

bool is_heif(std::span<const std::uint8_t> bytes);
// All pictures that stand by themselves, turned as the file asks for, RGB. Throws Error(damaged),
// Error(unsupported), and Error(too_large) where one has more than `max_pixels`, or all together
// more than four times as many.
std::vector<Image> decode_heif(std::span<const std::uint8_t> bytes, const std::string& name,
                               std::int64_t max_pixels);

}  // namespace fineprint::image
