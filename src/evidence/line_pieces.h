// Cuts a line of a table at its gaps into pieces, which are cells or parts of cells.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "evidence/table_cells.h"

namespace fineprint::evidence {

// Words of one line that belong together.
struct Piece {
  CellWords words;
  float x0 = 0, x1 = 0;
};

using RowOfPieces = std::vector<Piece>;

// How words are spaced in some lines.
struct Setting {
  Setting(const Page& page, std::span<const Line> lines);

  float height = 0;
  float wide_gap = 0;  // wider than any word space
};

// Returns the pieces of a line. Leaders, the dots from a label to its figures, are in none. They
// are at least three words of dots close to each other, or a word of many dots: two or three dots
// alone are a value that is missing.
RowOfPieces pieces_of(const Page& page, const Line& line, const Setting& setting);

void add_word(const Page& page, std::uint32_t word, Piece* piece);

// Return whether the word is a sign that goes with the number after or before it.
bool opens_amount(std::string_view word);
bool closes_amount(std::string_view word);

// Returns whether the word is a number, or a sign for a missing one.
bool is_figure(std::string_view word);

// Returns a word such as "Total....." without its leader. "etc.)" and "..." stay as they are.
std::string_view without_leader(std::string_view word);

}  // namespace fineprint::evidence
