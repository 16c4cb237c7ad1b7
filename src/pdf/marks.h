// Distinguishes the marks of footnotes from exponents, ordinals and the like.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "fineprint/core/document.h"

namespace fineprint::pdf {

// A character of a word as it is drawn.
struct DrawnCharacter {
  char32_t c = 0;
  bool raised = false;  // set smaller and above the baseline, or higher still
};

// A word, or the mark of a note, with the indices of its characters among those given.
struct WordPart {
  std::u32string text;
  std::vector<std::size_t> characters;
};

// Cuts the marks of notes off a word: "438" and a raised 1 become "438" and "¹". Exponents and
// charges stay, as superscripts ("m²", "10⁶"); ordinals and abbreviations stay as they are ("1st").
// Closing signs after a mark stay with the word: "(438", raised 1, ")" become "(438)" and "¹".
// Superscript characters of the file count as raised. Returns at least one part.
std::vector<WordPart> parts_of_word(const std::vector<DrawnCharacter>& word);

// Makes superscripts of small figures and letters that were drawn apart from their line, at the
// upper right of a larger word.
void raise_lone_marks(std::vector<Word>* words);

}  // namespace fineprint::pdf
