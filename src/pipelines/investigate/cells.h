// Finds cells of tables by the heads of their rows and columns.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "fineprint/core/document.h"

namespace fineprint::pipelines::investigate {

// A cell: its row as it is on the page, and its heads and value, "Revenue, 2023: 612".
struct CellText {
  std::string row, reading;
};

// Returns the cell of a table of the page whose row's head has all terms of `row` and whose
// column's head has all terms of `column`; of several, the first of the shortest heads. Nothing if
// there is none, or if it is empty.
std::optional<CellText> cell_on(const Page& page, std::string_view row, std::string_view column);

}  // namespace fineprint::pipelines::investigate
