// Names parts of a page, for models that cannot point at pixels.
#pragma once

#include <string_view>

#include "fineprint/core/geometry.h"

namespace fineprint::pipelines {

// Returns the region's box, in points, on a page of this size. Regions are halves ("top", "left"),
// quarters ("top left") and the "middle": half as wide or half as high as the page, or both. Throws
// Error(internal) for any other name.
Box region_box(std::string_view where, float width_pt, float height_pt);

}  // namespace fineprint::pipelines
