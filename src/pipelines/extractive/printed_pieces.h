// The words of a page as people see them: rows of pieces with white between them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fineprint/core/document.h"

namespace fineprint::pipelines::extractive {

// Words that are printed without a gap: a label, a value, a cell.
struct PrintedPiece {
  std::vector<std::uint32_t> words;  // indices into Page::words, from left to right
  Box box;
  float size_pt = 0;
  bool bold = false;  // all words are
};

// Pieces whose middles are at one height, from left to right.
struct PrintedRow {
  std::vector<PrintedPiece> pieces;
  Box box;
};

// Returns the rows of a page from top to bottom, by where the words are and not by how they were
// arranged into elements. A piece ends at a gap wider than the blanks of a text, after a colon, and
// at a sign between parts of a line ("|", a middle dot), which belongs to no piece.
std::vector<PrintedRow> printed_rows(const Page& page);

// Returns words joined by blanks.
std::string text_of_words(const Page& page, const std::vector<std::uint32_t>& words);

}  // namespace fineprint::pipelines::extractive
