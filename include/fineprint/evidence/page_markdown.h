// Converts pages to Markdown, and their tables to cells.
#pragma once

#include <string>
#include <vector>

#include "fineprint/core/document.h"

namespace fineprint::evidence {

// The cells of a table.
struct PageTable {
  std::vector<std::vector<std::string>> rows;  // all rows have equally many cells
  int header_rows = 0;                         // how many rows at the top hold only heads
  // The cells row by row, as the file states them or as they are printed. One that spans several
  // rows or columns is at each of its places in `rows`. Cells that are not stated have only a text.
  std::vector<StatedCell> cells = {};
};

// Returns the cells that the file states; else those of a table's lines without those of its
// caption, or no rows if the lines do not form two columns.
PageTable page_table(const Page& page, const Element& element);

// Returns the page as CommonMark with GitHub's tables: headings by their level on the page, lists,
// captions in italics. Omits running heads, feet and page numbers. Escapes characters that Markdown
// would interpret. The text ends with a newline, or is empty.
std::string page_markdown(const Page& page);

}  // namespace fineprint::evidence
