// Arranges the heads of a table as they are printed.
#pragma once

#include <cstddef>
#include <vector>

#include "evidence/table_cells.h"

namespace fineprint::evidence {

// A piece of a line of heads, over the columns [first, end).
struct HeadPiece {
  CellWords words;
  std::size_t line = 0;  // from the top, counted from 0
  std::size_t first = 0, end = 0;
};

// Returns the heads of a table, from the top and from the left. Lines of one head are joined; the
// pieces below a head over several columns divide it and are a row of their own. A head with none
// below it reaches down to the last row of heads. `pieces` come line by line.
std::vector<HeadCell> arranged_heads(const std::vector<HeadPiece>& pieces);

}  // namespace fineprint::evidence
