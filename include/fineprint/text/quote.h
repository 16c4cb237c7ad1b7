// Finds a quote on a page, so that it can be marked.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "fineprint/core/document.h"

namespace fineprint::text {

// The place of a quote: words [first_word, first_word + word_count) of the page, with one box per
// line.
struct QuotePlace {
  std::uint32_t first_word = 0;
  std::uint32_t word_count = 0;
  std::vector<Box> boxes;
  double similarity = 1;  // 1 for an exact occurrence
};

// Returns the boxes of a run of words, one for each line.
std::vector<Box> word_boxes(const Page& page, std::uint32_t first_word, std::uint32_t word_count);

// Finds a quote. Texts are compared in folded form, without white space and without hyphens at line
// ends. Returns the first exact occurrence. If there is none, and the quote has at least 8 letters
// and digits and at most 1000 bytes, returns the most similar run of words (the first of equals),
// provided that:
// - its similarity, 1 - edit distance / length of the longer text, is at least 0.9;
// - its numbers are the quote's, with their signs, points, currencies and percent signs;
// - so are its words that negate, scale or give a direction ("not", "million", "down") and the
//   prefixes that reverse a meaning ("un", "non", "in", "dis");
// - it contains every word of the quote with at most a quarter of the letters wrong.
// Returns nullopt otherwise, because a wrong mark is worse than none.
std::optional<QuotePlace> find_quote(const Page& page, std::string_view quote);

}  // namespace fineprint::text
