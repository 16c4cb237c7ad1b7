// Gathers MuPDF's characters into words.
#pragma once

#include <cstdint>
#include <vector>

#include "fineprint/pdf/document.h"

#include "pdf/guard.h"

namespace fineprint::pdf {

// The numbers of the texts (see ink_log.h) that a word has characters of.
struct TextsOfWord {
  std::uint32_t first = 0, last = 0;  // the lowest and the highest number
};

// Fills words, line_of_word, block_of_word and the character counts of `page` from `text`. Splits
// at white space and at gaps. A word that is drawn twice at one place (a shadow, fake bold) counts
// once. Returns the texts of each word.
std::vector<TextsOfWord> add_words(fz_context* context, const fz_stext_page& text, RawPage* page);

}  // namespace fineprint::pdf
