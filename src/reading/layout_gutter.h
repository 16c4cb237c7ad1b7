// Looks for the white strip between two columns of text.
#pragma once

#include <optional>
#include <vector>

#include "reading/layout_fragment.h"

namespace fineprint::reading {

// A strip free of fragments between y0 and y1.
struct Gutter {
  float x0 = 0, x1 = 0, y0 = 0, y1 = 0;
};

// The tallest gutter of `area` that separates columns of text; nullopt when there is none, also
// when gaps separate the columns of a table.
std::optional<Gutter> column_gutter(const std::vector<Fragment>& fragments,
                                    const std::vector<std::uint32_t>& area,
                                    const std::vector<Box>& rules);

}  // namespace fineprint::reading
