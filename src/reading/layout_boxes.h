// Finds labels and values that are one above the other in columns, and puts them next to each
// other.
#pragma once

#include <vector>

#include "reading/layout_rows.h"

namespace fineprint::reading {

// Replaces a row of labels and the row of their values by one row for each label with its value, in
// reading order and marked as `boxed`. Labels are
// - above values that are set differently or have colons, unless more rows with the same columns
//   follow: then they are the header of a table,
// - above a single row that has figures,
// - in parentheses below their values,
// - at the top of the cells of one row of a ruled table, set differently from the rest of the cell.
std::vector<Row> join_boxes(const pdf::RawPage& page, std::vector<Row> rows);

}  // namespace fineprint::reading
