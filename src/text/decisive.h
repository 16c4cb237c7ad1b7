// The parts of a text that turn its meaning around when one character is wrong.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "text/quote_glyphs.h"

namespace fineprint::text {

// Glyphs [begin, end) of a form. What is compared are those before text_end: of a word that begins
// with "un" that beginning alone.
struct Decisive {
  std::uint32_t begin = 0, end = 0, text_end = 0;

  std::u32string_view text(const QuoteForm& form) const {
    return std::u32string_view(form.glyphs).substr(begin, text_end - begin);
  }
};

// In the order in which they stand:
// - numbers: digits with the points and commas between them, and what belongs to them: signs,
//   comparisons and currencies before them, letters and per cent behind them, brackets around them;
// - words that deny, scale or give a direction ("not", "million", "down"), names of months;
// - words that begin with what turns a word around ("un", "non", "in", "dis").
std::vector<Decisive> decisive_parts(const QuoteForm& form);

}  // namespace fineprint::text
