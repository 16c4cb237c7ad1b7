// What the picture of a page shows of its layout, where the file says nothing: on scans.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "fineprint/core/image.h"
#include "fineprint/pdf/document.h"

#include "reading/layout_model.h"
#include "reading/stated_tables.h"

namespace fineprint::reading {

struct PicturedLayout {
  RegionMap regions;
  std::vector<Box> pictures;        // photographs, charts and drawings
  std::vector<PlacedTable> tables;  // no word is in two of them
};

// Returns the grey picture of a page at so many dots per inch, in the frame of its words.
using DrawPage = std::function<Image(double dpi)>;

// Looks at the picture of an upright page whose words were read from it. Pictures and tables
// outside `areas` are left out; if there are none, the whole page is one.
PicturedLayout pictured_layout(const LayoutModel& model, const pdf::RawPage& page,
                               const std::vector<Box>& areas, const DrawPage& draw);

// Returns the table that a grid makes of the words in `box`, or nullopt if its cells would not be
// those of a table, for example because a cell would hold two numbers. A line that would cut words
// is moved to the nearest place where it cuts fewer. Where text runs on across a line between
// columns, its cell spans them.
std::optional<PlacedTable> table_of_grid(const pdf::RawPage& page, const Box& box,
                                         const GridShares& grid);

}  // namespace fineprint::reading
