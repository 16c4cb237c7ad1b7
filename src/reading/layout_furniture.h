// Finds running heads, feet and page numbers.
#pragma once

#include <vector>

#include "reading/layout_fragment.h"

namespace fineprint::reading {

struct Furniture {
  std::vector<std::uint32_t> top, bottom, side;  // fragments
};

// Only what clearly is: short lines in the margins, apart from the text, no larger than it. Sets
// `taken[i]` for each.
Furniture find_furniture(const pdf::RawPage& page, const std::vector<Fragment>& fragments,
                         float body_pt, std::vector<bool>& taken);

}  // namespace fineprint::reading
