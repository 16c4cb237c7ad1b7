// Finds pictures, charts and diagrams on a page.
#pragma once

#include <vector>

#include "reading/layout_fragment.h"

namespace fineprint::reading {

// A picture or a cluster of drawings, with the fragments that stand inside (labels of axes, ...).
struct Figure {
  Box box;
  std::vector<std::uint32_t> fragments;  // indices, in the order of the file
};

// Backgrounds, shaded tables and boxed text are no figures. Sets `taken[i]` for each fragment that
// belongs to one.
std::vector<Figure> find_figures(const pdf::RawPage& page, const std::vector<Fragment>& fragments,
                                 std::vector<bool>& taken);

}  // namespace fineprint::reading
