// The cells of a table that its file states, as rows of equal length.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "fineprint/core/document.h"

namespace fineprint::text {

// Stated cells by row and column. A cell that spans several rows or columns is at each of its
// places, and nullptr is where the file states no cell.
struct StatedGrid {
  std::vector<std::vector<const StatedCell*>> rows;  // all of equal length
  std::size_t head_rows = 0;                         // rows at the top that hold only heads

  std::size_t columns() const { return rows.empty() ? 0 : rows.front().size(); }
  // Returns the heads of a column from the top, each once.
  std::vector<const StatedCell*> heads_of(std::size_t column) const;
};

// Returns the grid of an element's cells, which must outlive it. It has no rows if the element has
// no cells, or if they cover a million places or more.
StatedGrid stated_grid(const Element& element);

// Returns the text of a cell, on one line.
std::string text_of_cell(const Page& page, const StatedCell& cell);

// Returns the texts of all heads, row by row, joined by single blanks; each once.
std::string all_heads(const Page& page, const StatedGrid& grid);

// Returns the texts of the heads of a column, joined by single blanks.
std::string column_head(const Page& page, const StatedGrid& grid, std::size_t column);

}  // namespace fineprint::text
