// Finds running heads, feet and page numbers.
#pragma once

#include <vector>

#include "reading/layout_fragment.h"

namespace fineprint::reading {

// Indices of fragments.
struct Furniture {
  std::vector<std::uint32_t> top, bottom, side;
};

// Returns only clear furniture: short lines in the margins that are apart from the text and no
// larger than it; of a document of one page, only its page number and turned text at the sides.
// Sets `taken[i]` for each of them.
Furniture find_furniture(const pdf::RawPage& page, const std::vector<Fragment>& fragments,
                         float body_pt, std::vector<bool>& taken);

}  // namespace fineprint::reading
