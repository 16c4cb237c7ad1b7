// Finds the white strip between two columns of text.
#pragma once

#include <optional>
#include <vector>

#include "reading/layout_fragment.h"

namespace fineprint::reading {

// A strip without fragments between x0 and x1, from y0 to y1. In points.
struct Gutter {
  float x0 = 0, x1 = 0, y0 = 0, y1 = 0;
};

// Returns the tallest gutter of `area` that separates columns of text. Returns nullopt if there is
// none, also if the gaps separate columns of a table.
std::optional<Gutter> column_gutter(const std::vector<Fragment>& fragments,
                                    const std::vector<std::uint32_t>& area,
                                    const std::vector<Box>& rules);

}  // namespace fineprint::reading
