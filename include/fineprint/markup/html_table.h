// Reads tables that other programs have written as HTML.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fineprint::markup {

// A cell of a table. Rows and columns are counted from 0.
struct TableCell {
  std::string text;  // on one line
  int row = 0, column = 0;
  int rows = 1, columns = 1;  // number of rows and columns that it spans
  bool is_head = false;
};

// Returns the cells of the first table in `html`, row by row. Cells that span several rows or
// columns shift the others, as in a browser. For example, after a first cell with rowspan="2", the
// next row begins in column 1. A table inside a cell becomes text. Returns nothing if there is no
// table.
std::vector<TableCell> read_html_table(std::string_view html);

}  // namespace fineprint::markup
