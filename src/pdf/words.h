// Gathers MuPDF's characters into words.
#pragma once

#include "fineprint/pdf/document.h"

#include "pdf/guard.h"

namespace fineprint::pdf {

// Fills words, line_of_word, block_of_word and the character counts of `page` from `text`. Splits
// at white space and at gaps. A word that is drawn twice at one place (a shadow, fake bold) counts
// once.
void add_words(fz_context* context, const fz_stext_page& text, RawPage* page);

}  // namespace fineprint::pdf
