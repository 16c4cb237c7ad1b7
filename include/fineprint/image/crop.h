// Cuts parts out of the picture of a page.
#pragma once

#include "fineprint/core/geometry.h"
#include "fineprint/core/image.h"

namespace fineprint::image {

// Returns all pixels that the box `part` touches, at least one. `part` is in points on the page;
// `pixels_a_point` is the number of pixels per point of the picture.
Image crop(const Image& page, const Box& part, double pixels_a_point);

}  // namespace fineprint::image
