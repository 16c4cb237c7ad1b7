// Finds the words of a page that leave no ink, by drawing the page with and without them.
#pragma once

#include "fineprint/pdf/document.h"

#include "pdf/ink_pictures.h"
#include "pdf/ink_watch.h"
#include "pdf/words.h"

namespace fineprint::pdf {

// Fills RawPage::doubts and `doubted_texts` from the log of the page and the texts that
// `texts_of_word` gives for each word.
void note_doubts(const InkLog& log, const std::vector<TextsOfWord>& texts_of_word, RawPage* page);

// Returns, for each entry of RawPage::doubts, whether the word leaves no ink.
std::vector<bool> leave_no_ink(const RawPage& page, const InkPictures& pictures);

// Moves these doubted words to RawPage::hidden, and forgets the doubts.
void hide_words(const std::vector<bool>& hidden, RawPage* page);

}  // namespace fineprint::pdf
