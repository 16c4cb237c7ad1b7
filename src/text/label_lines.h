// The pieces of the lines of a page, and how they look, so that labels can be recognised.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "fineprint/core/document.h"
#include "fineprint/text/page_parts.h"

namespace fineprint::text {

// Words of one line without a wide gap or leader dots between them.
struct LabelPiece {
  WordRun words;
  Box box;
  float size_pt = 0;
  bool bold = false;  // all words are
  bool ends_with_colon = false;
  std::uint32_t colon_end = 0;  // the word after the first colon; 0 if there is none
  std::uint32_t colons = 0;     // words that end with a colon
  bool has_letter = false;
  bool has_digit = false;
  bool is_number = false;  // a number with at most a unit: "11.4", "$1,200", "12 kg"
  bool leads_on = false;   // leader dots or a line to write on follow
};

// A line of the page.
struct LabelLine {
  std::vector<LabelPiece> pieces;  // without leader dots; may be empty
  Box box;
  std::size_t element = 0;  // index into Page::elements
  bool is_heading = false;
  bool is_two_lines = false;  // layout has written a label and the value below it as one line
};

// Returns the lines of all elements except furniture and figures, in reading order.
std::vector<LabelLine> label_lines(const Page& page);

// Returns how many ASCII digits a word has.
std::size_t digits_in(std::string_view word);

// Describes a run of words that is not empty.
LabelPiece piece_of(const Page& page, const WordRun& words);

// Returns whether a piece may be a label: a few words that begin with a letter, mostly without
// digits, and do not end like a sentence.
bool is_label_like(const Page& page, const LabelPiece& piece);

// Returns whether two pieces are set differently: in size or weight.
bool look_different(const LabelPiece& a, const LabelPiece& b);

}  // namespace fineprint::text
