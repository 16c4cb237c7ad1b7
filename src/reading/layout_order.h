// Finds columns and puts fragments into reading order.
#pragma once

#include <cstdint>
#include <vector>

#include "reading/layout_fragment.h"

namespace fineprint::reading {

// Fragments (by index) of an area that has no columns: it is read row by row.
using Area = std::vector<std::uint32_t>;

// Cuts `fragments[i]` for i in `all` into areas in reading order: text columns are read one after
// the other, the columns of a table stay together. `rules` are the page's ruled lines.
std::vector<Area> order_areas(const std::vector<Fragment>& fragments, const Area& all,
                              const std::vector<Box>& rules);

}  // namespace fineprint::reading
