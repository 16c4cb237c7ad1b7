// Finds the parts of a text that reverse or change its meaning if one character is wrong.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "text/quote_glyphs.h"

namespace fineprint::text {

// Glyphs [begin, end) of a form. Only those before `text_end` are compared: for a word that begins
// with "un", only the prefix.
struct Decisive {
  std::uint32_t begin = 0, end = 0, text_end = 0;

  // Returns the glyphs that are compared.
  std::u32string_view text(const QuoteForm& form) const {
    return std::u32string_view(form.glyphs).substr(begin, text_end - begin);
  }
};

// Returns the decisive parts in order:
// - numbers: digits with the points and commas between them; signs, comparisons and currencies
//   before them; letters and percent signs after them; brackets around them;
// - words that negate, scale or give a direction ("not", "million", "down"), and names of months;
// - words that begin with a prefix that reverses a meaning ("un", "non", "in", "dis").
std::vector<Decisive> decisive_parts(const QuoteForm& form);

}  // namespace fineprint::text
