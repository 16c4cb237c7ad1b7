// Finds columns and brings fragments into reading order.
#pragma once

#include <cstdint>
#include <vector>

#include "reading/layout_fragment.h"

namespace fineprint::reading {

// Indices of the fragments of an area without columns, which is read row by row.
using Area = std::vector<std::uint32_t>;

// Cuts the fragments with the indices `all` into areas in reading order. Columns of text are read
// one after the other; the columns of a table stay together. `rules` are the page's ruled lines.
std::vector<Area> order_areas(const std::vector<Fragment>& fragments, const Area& all,
                              const std::vector<Box>& rules);

}  // namespace fineprint::reading
