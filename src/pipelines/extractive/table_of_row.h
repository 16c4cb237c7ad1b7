// Finds the table that a row is of, as cells.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fineprint/core/document.h"

#include "pipelines/reading/snippets.h"

namespace fineprint::pipelines::extractive {

struct TableCell {
  std::string text;         // on one line; empty if nothing is there
  std::uint32_t words = 0;  // how many it has
  std::size_t origin = 0;   // equal for the places of one cell that spans several

  bool operator==(const TableCell&) const = default;
};
using TableRow = std::vector<TableCell>;

// A table with heads above its columns, and one of its rows.
struct TableOfRow {
  std::vector<TableRow> rows;  // below the heads, all of equal length
  std::vector<std::string> heads;
  std::size_t row = 0;     // index in `rows`
  std::size_t label = 0;   // the column that names the rows: the second if the first only counts
  bool is_stated = false;  // by the file, and not only shown by the layout

  std::size_t columns() const { return heads.size(); }
  const TableRow& own() const { return rows[row]; }
};

// Returns the table that the snippet is a row of: the cells that the file states, or else those
// that the layout of the page shows. If another table with heads of its own follows in the same
// columns, returns only the one with the row. Returns nullopt if it has no heads, or fewer than two
// columns.
std::optional<TableOfRow> table_of_row(const Page& page, const Snippet& snippet);

}  // namespace fineprint::pipelines::extractive
