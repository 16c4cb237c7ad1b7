// Columns of labels and values: a data sheet, the top of an invoice.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "text/label_page.h"

namespace fineprint::text {

// A row of columns: the label and the value of each pair. A value may go on in further lines.
struct SheetRow {
  std::vector<LabelPiece> pieces;
};

// Rows with equally many aligned pieces, and the line after the last of them.
struct Sheet {
  std::vector<SheetRow> rows;
  std::size_t end = 0;
  // Text to the left of the pairs, for example an address next to the number of an invoice: the
  // first piece of each row that has any.
  bool has_left = false;
  std::vector<LabelPiece> left;

  std::size_t pairs() const { return rows.front().pieces.size() / 2; }
  const LabelPiece& label(std::size_t row, std::size_t pair) const {
    return rows[row].pieces[2 * pair];
  }
  const LabelPiece& value(std::size_t row, std::size_t pair) const {
    return rows[row].pieces[2 * pair + 1];
  }
};

// Returns the rows of pairs that begin in line `at`, or nullopt if the line is no such row. They
// may be those of another table.
std::optional<Sheet> sheet_at(const LabelPage& on, std::size_t at);

// Returns whether the first column of each pair of columns holds labels of the second.
bool is_sheet(const LabelPage& on, const Sheet& sheet);

}  // namespace fineprint::text
