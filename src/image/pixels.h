// Checks pictures before other work, and removes transparency.
#pragma once

#include <cstdint>
#include <string>

#include "fineprint/core/image.h"

namespace fineprint::image {

// Call this before allocating memory for a picture. Throws Error(too_large) with `name` and the
// limit in the message, or Error(damaged) if there are no pixels.
void check_pixels(std::int64_t width, std::int64_t height, const std::string& name,
                  std::int64_t max_pixels);

// Throws Error(internal) unless the sides, channels and number of bytes of `image` agree.
void check_whole(const Image& image);

// Lays RGBA over white and returns RGB, rounded to the nearest value.
Image on_white(const Image& rgba);

}  // namespace fineprint::image
