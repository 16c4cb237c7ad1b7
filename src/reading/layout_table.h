// Finds tables among rows, and joins the rows that form one row of a table.
#pragma once

#include <cstddef>
#include <vector>

#include "reading/layout_rows.h"

namespace fineprint::reading {

// The rows [first, last) of an area that are a table.
struct TableRange {
  std::size_t first = 0, last = 0;
};

// Ruled lines of equal extent, one below the other. In points.
struct Grid {
  float x0 = 0, x1 = 0;
  std::vector<float> heights;  // from the top
};

// Returns the grids of a page with at least three lines, from the top.
std::vector<Grid> find_grids(const std::vector<Box>& rules);

// Returns whether a row of a ruled table has more text lines than one line of the page may hold.
// Its cells are then written as separate texts.
bool is_tall(const Row& row);

// Joins the rows between two ruled lines of a grid into one row, column by column, because the
// cells of a ruled table often have several lines. Rows that each begin with a label and a colon
// stay apart.
std::vector<Row> join_ruled_rows(const pdf::RawPage& page, std::vector<Row> rows,
                                 const std::vector<Grid>& grids);

// Returns the runs of rows whose cells form columns, including header rows, in order and without
// overlaps.
std::vector<TableRange> find_tables(const pdf::RawPage& page, const std::vector<Row>& rows);

// Joins rows that are centred over two rows, as labels of both are, with the first of these.
std::vector<Row> join_centred(std::vector<Row> rows);

// Joins labels of several lines with the row that has their numbers.
std::vector<Row> join_labels(const pdf::RawPage& page, std::vector<Row> rows);

}  // namespace fineprint::reading
