// What comes before work on a picture: its size and wholeness checked, its transparency gone.
#pragma once

#include <cstdint>
#include <string>

#include "fineprint/core/image.h"

namespace fineprint::image {

// For before memory is taken. Throws Error(too_large) naming the picture and the limit,
// Error(damaged) for an empty one.
void check_pixels(std::int64_t width, std::int64_t height, const std::string& name,
                  std::int64_t max_pixels);

// Throws Error(internal) unless sides, channels and size of `image` agree.
void check_whole(const Image& image);

// RGBA to RGB, rounded: transparency laid over white paper.
Image on_white(const Image& rgba);

}  // namespace fineprint::image
