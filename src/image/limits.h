// Checks that come before memory is taken.
#pragma once

#include <cstdint>
#include <string>

#include "fineprint/core/image.h"

namespace fineprint::image {

// Throws Error(too_large) naming the picture and the limit, Error(damaged) for an empty one.
void check_pixels(std::int64_t width, std::int64_t height, const std::string& name,
                  std::int64_t max_pixels);

// Throws Error(internal) unless sides, channels and size of `image` agree.
void check_whole(const Image& image);

}  // namespace fineprint::image
