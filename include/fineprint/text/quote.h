// Finds a quote on a page, so that it can be marked.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "fineprint/core/document.h"

namespace fineprint::text {

// Where a quote stands: words [first, first + count) of the page and one box a line.
struct QuotePlace {
  std::uint32_t first_word = 0;
  std::uint32_t word_count = 0;
  std::vector<Box> boxes;
  double similarity = 1;  // 1: an exact occurrence
};

// The boxes of a run of words, one a line.
std::vector<Box> word_boxes(const Page& page, std::uint32_t first_word, std::uint32_t word_count);

// Compared in the folded form, blind to white space and to hyphens at line ends. The first exact
// occurrence; else, for quotes of 8 letters and digits or more and 1000 bytes or fewer, the run of
// words that is most similar to it (the first of equals), if its similarity, 1 - edit distance /
// length of the longer one, is 0.9 at least and
// - its numbers are the quote's, with their signs, points, currencies and per cent;
// - so are its words that deny, scale or give a direction ("not", "million", "down") and the
//   beginnings that turn words around ("un", "non", "in", "dis");
// - every word of the quote stands in it with no more than a quarter of its letters wrong.
// nullopt when there is none: a wrong mark is worse than none.
std::optional<QuotePlace> find_quote(const Page& page, std::string_view quote);

}  // namespace fineprint::text
