// Reads tables that other programs have written as HTML.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fineprint::markup {

// A cell of a table. Rows and columns are counted from 0.
struct TableCell {
  std::string text;  // of a file read as HTML, on one line
  int row = 0, column = 0;
  int rows = 1, columns = 1;  // number of rows and columns that it spans
  bool is_head = false;
};

// A table as a file states it.
struct StatedTable {
  std::string caption;           // drawn above the cells; often empty
  std::vector<TableCell> cells;  // row by row
};

// Returns the cells of the first table in `html`, row by row. Cells that span several rows or
// columns shift the others, as in a browser. For example, after a first cell with rowspan="2", the
// next row begins in column 1. A table inside a cell becomes text. Returns nothing if there is no
// table.
std::vector<TableCell> read_html_table(std::string_view html);

// Returns the tables of a page of HTML that hold rows and columns of data, in order. A table that
// only arranges other tables on the page is left out, and these are returned. If no cell is marked
// as a head, the rows that look like heads are.
std::vector<StatedTable> read_html_tables(std::string_view html);

// Marks the first row as heads, and the rows below it that divide heads which span columns. Does
// nothing if a cell is marked already, if there is only one row, or if the first row is that of a
// form: two or four columns, and next to a label a number, a date or a name.
void mark_heads(std::vector<TableCell>* cells);

// Returns how many rows at the top hold only heads.
int head_rows(const std::vector<TableCell>& cells);

// Returns the numbers of rows and columns.
std::pair<int, int> extent_of(const std::vector<TableCell>& cells);

}  // namespace fineprint::markup
