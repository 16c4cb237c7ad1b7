// Finds pictures, charts and diagrams on a page.
#pragma once

#include <vector>

#include "reading/layout_fragment.h"

namespace fineprint::reading {

// A picture or a cluster of drawings, with the fragments inside it, for example labels of axes.
struct Figure {
  Box box;
  std::vector<std::uint32_t> fragments;  // indices, in the order of the file
};

// Returns the figures of a page, from the top. Backgrounds, shaded tables and boxed text are not
// figures. Sets `taken[i]` for each fragment that belongs to a figure.
std::vector<Figure> find_figures(const pdf::RawPage& page, const std::vector<Fragment>& fragments,
                                 std::vector<bool>& taken);

}  // namespace fineprint::reading
