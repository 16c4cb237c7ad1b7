// Finds tables among rows, and gives each row of a table one line.
#pragma once

#include <cstddef>
#include <vector>

#include "reading/layout_rows.h"

namespace fineprint::reading {

// Rows of one area of which [first, last) are a table.
struct TableRange {
  std::size_t first = 0, last = 0;
};

// Ruled lines of equal extent, one below the other.
struct Grid {
  float x0 = 0, x1 = 0;
  std::vector<float> heights;  // from the top
};
std::vector<Grid> find_grids(const std::vector<Box>& rules);

// Whether a row of a ruled table has more text lines than one line of the page may stand for: its
// cells are texts of their own then.
bool is_tall(const Row& row);

// Joins what lies between two ruled lines of a grid into one row, column by column: the cells of a
// ruled table often have several lines.
std::vector<Row> join_ruled_rows(std::vector<Row> rows, const std::vector<Grid>& grids);

// Runs of rows whose cells stand in columns, header rows included; in order, not overlapping.
std::vector<TableRange> find_tables(const pdf::RawPage& page, const std::vector<Row>& rows);

// Joins labels that take several lines with the row that has their numbers.
std::vector<Row> join_labels(const pdf::RawPage& page, std::vector<Row> rows);

}  // namespace fineprint::reading
