// Cuts a page into snippets, sentences, table rows and labels with their values, that an answer can
// be quoted from.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fineprint/core/document.h"
#include "fineprint/text/page_parts.h"

namespace fineprint::pipelines {

// A snippet: one sentence, one table row, or one label with its value, of a page.
struct Snippet {
  std::uint32_t first_word = 0;  // index in Page::words
  std::uint32_t word_count = 0;
  bool is_row = false;
  bool names_columns = false;  // its words head the columns of the rows below it
  bool is_heading = false;     // of what follows, or the title of the page
  std::string text;            // the words, joined by spaces
  std::string context;  // headings; for rows also the caption and the row that names the columns
  // The words of the row that names the columns, so that a value's column can be found. For
  // example, the years above a row of figures. word_count is 0 if there is no such row.
  std::uint32_t first_column_word = 0;
  std::uint32_t column_word_count = 0;
  // Both are empty unless the snippet is a label with its value ("Skipper: Ines Farrow").
  text::WordRun label, value;

  bool is_pair() const { return value.count() > 0; }
};

// Returns all snippets of a page in reading order; no word is in two of them. Omits running heads
// and feet, and text with fewer than three letters and digits (bullets, "1."). Sentences longer
// than 60 words are cut into parts of at most 60.
std::vector<Snippet> snippets_of(const Page& page);

}  // namespace fineprint::pipelines
