// The cells of a table on a page.
#pragma once

#include <cstdint>
#include <vector>

#include "fineprint/core/document.h"

namespace fineprint::evidence {

// Words by their places in Page::words, in reading order.
using CellWords = std::vector<std::uint32_t>;

struct TableCells {
  std::vector<std::vector<CellWords>> rows;  // all of as many columns
  int header_rows = 0;                       // 0 or 1

  std::size_t columns() const { return rows.empty() ? 0 : rows.front().size(); }
};

// Cuts the lines of a table into cells: words part at wide gaps, and figures from each other; the
// pieces of all lines, those of the fullest first, make the columns that they stand in. Lines above
// the first amount become one row of heads, where one that spans columns heads each of them; lines
// that go on with a label or a text join the row above.
TableCells table_cells(const Page& page, const std::vector<Line>& lines);

// The lines of a table or figure without those of its caption, which are among the first or last.
std::vector<Line> lines_beside_caption(const Page& page, const Element& element);

// Whether a line reads as running text: many words without a wide gap, and no figures behind them.
bool is_running_text(const Page& page, const Line& line);

// Joined by blanks.
std::string cell_text(const Page& page, const CellWords& words);

}  // namespace fineprint::evidence
