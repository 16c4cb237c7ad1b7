// Rows: what stands at one height of an area without columns, from left to right.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reading/layout_fragment.h"

namespace fineprint::reading {

// Words of a row without a wide gap between them.
struct Cell {
  std::vector<std::uint32_t> words;
  Box box;
  std::uint32_t characters = 0;
  bool numeric = false;
};

struct Row {
  std::vector<Cell> cells;
  Box box;
  float size_pt = 0;
  bool bold = false;         // all of it
  bool ruled = false;        // lies between two lines of a ruled table
  std::int32_t figure = -1;  // stands for a figure; no cells then

  std::vector<std::uint32_t> words() const;
  std::uint32_t characters() const;
};

// The rows of an area from the top; text turned against the page comes last, a line each.
std::vector<Row> make_rows(const pdf::RawPage& page, const std::vector<Fragment>& fragments,
                           const std::vector<std::uint32_t>& area);

// "•", "-", "(a)", "3.": what an item of a list begins with, as a word of its own.
bool is_list_marker(std::string_view word);

}  // namespace fineprint::reading
