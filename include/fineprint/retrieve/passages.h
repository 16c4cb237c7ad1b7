// Sentences and table rows: what an answer can be quoted from.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fineprint/core/document.h"

namespace fineprint::retrieve {

// A sentence or a table row of a page.
struct Passage {
  std::uint32_t first_word = 0;  // in Page::words
  std::uint32_t word_count = 0;
  bool is_row = false;
  bool names_columns = false;  // such a row speaks for those below it
  std::string text;            // the words joined by blanks
  std::string context;  // headings, and for rows the caption and the row that names the columns
  // The words of that row, for finding a value's column; word_count 0 when there is none.
  std::uint32_t first_column_word = 0;
  std::uint32_t column_word_count = 0;
};

// All passages of a page in reading order; no word is in two. Left out are running heads and feet
// and what has fewer than three letters and digits (bullets, "1."). Sentences longer than 60 words
// are cut.
std::vector<Passage> passages_of(const Page& page);

}  // namespace fineprint::retrieve
