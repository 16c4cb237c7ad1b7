// Transparency laid over white paper.
#pragma once

#include "fineprint/core/image.h"

namespace fineprint::image {

// RGBA to RGB, rounded.
Image on_white(const Image& rgba);

}  // namespace fineprint::image
