// Finds the cells of a table on a page.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "fineprint/core/document.h"

namespace fineprint::evidence {

// Words as indices in Page::words, in reading order.
using CellWords = std::vector<std::uint32_t>;

// A head as it is printed. Rows of heads and columns are counted from 0.
struct HeadCell {
  CellWords words;
  std::size_t row = 0, column = 0;
  std::size_t rows = 1, columns = 1;  // that it is over
};

// The cells of a table.
struct TableCells {
  std::vector<std::vector<CellWords>> rows;  // all rows have equally many columns
  // Their texts. A cell may have a text and no words, if these are on an earlier page.
  std::vector<std::vector<std::string>> texts;
  int header_rows = 0;               // 0 or 1
  std::vector<HeadCell> heads = {};  // those of the header row, before they were joined

  std::size_t columns() const { return rows.empty() ? 0 : rows.front().size(); }
};

// Cuts the lines of a table into cells. Words are separated at wide gaps, and figures from each
// other. The pieces of all lines, those of the fullest lines first, form the columns. Lines above
// the first amount become one row of heads, in which a head that spans columns is repeated in each.
// Lines that continue a label or a text are joined to the row above.
TableCells table_cells(const Page& page, const std::vector<Line>& lines);

// Returns the cells that the file states, or no rows if it states none, or only one column. Several
// rows of heads become one, in which each column has its heads from the top.
TableCells stated_cells(const Page& page, const Element& element);

// Returns the lines of a table or figure without those of its caption.
std::vector<Line> lines_beside_caption(const Page& page, const Element& element);

// Returns whether a line reads as running text: many words without a wide gap, and no figures after
// them.
bool is_running_text(const Page& page, const Line& line);

// Returns the words joined by spaces.
std::string cell_text(const Page& page, const CellWords& words);

}  // namespace fineprint::evidence
