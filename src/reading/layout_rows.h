// Groups text at the same height in an area without columns into rows, from left to right.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reading/layout_fragment.h"

namespace fineprint::reading {

// Words of a row without a wide gap between them. `words` are indices into RawPage::words.
struct Cell {
  std::vector<std::uint32_t> words;
  Box box;
  std::uint32_t characters = 0;
  bool numeric = false;
  bool bullet = false;  // only the sign of a list item
};

// A line of text, a row of a table, or a figure.
struct Row {
  std::vector<Cell> cells;
  Box box;
  float size_pt = 0;
  bool bold = false;   // all of it is bold
  bool ruled = false;  // is between two lines of a ruled table
  bool boxed = false;  // a label with the value below it, or a value with the label below it
  // index of the figure that it represents, which then has no cells; -1 for text
  std::int32_t figure = -1;

  std::vector<std::uint32_t> words() const;
  std::uint32_t characters() const;
};

// Returns the rows of an area from the top. Text that is turned against the page comes last, one
// row per line.
std::vector<Row> make_rows(const pdf::RawPage& page, const std::vector<Fragment>& fragments,
                           const std::vector<std::uint32_t>& area);

// Returns whether a word can begin a list item: "•", "-", "(a)", "3.".
bool is_list_marker(std::string_view word);

}  // namespace fineprint::reading
