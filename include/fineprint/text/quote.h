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
};

// The boxes of a run of words, one a line.
std::vector<Box> word_boxes(const Page& page, std::uint32_t first_word, std::uint32_t word_count);

// Compared in the folded form, blind to white space and to hyphens at line ends. The first exact
// occurrence; nullopt when it is not on the page: a wrong mark is worse than none.
std::optional<QuotePlace> find_quote(const Page& page, std::string_view quote);

}  // namespace fineprint::text
