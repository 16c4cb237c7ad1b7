// Parts of a page's picture.
#pragma once

#include "fineprint/core/geometry.h"
#include "fineprint/core/image.h"

namespace fineprint::image {

// All pixels that the box touches, at least one; `part` lies on the page, whose picture has
// `pixels_a_point` pixels a point.
Image crop(const Image& page, const Box& part, double pixels_a_point);

}  // namespace fineprint::image
