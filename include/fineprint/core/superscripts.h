// Superscript characters: the form in which raised digits and letters are kept, so that a footnote
// mark is never taken for a digit of the number before it.
#pragma once

#include <string>
#include <string_view>

namespace fineprint {

// Returns the superscript of a digit, a letter or a sign ('1' gives U+00B9), or 0 if there is none.
char32_t superscript_of(char32_t plain);

// Returns the digit, letter or sign of a superscript (U+00B9 gives '1'), or 0 if it is none.
char32_t plain_of_superscript(char32_t c);

// Returns a raised text with superscripts in place of the characters that have one. Text of more
// than six characters is no mark and no exponent, and is returned as it is.
std::string raised_text(std::string_view utf8);

// Returns whether a word is only the mark of a note: superscripts, possibly with commas and
// brackets, or asterisks, daggers and similar signs.
bool is_note_mark(std::string_view word);

// Returns the text without words that are marks of notes; if there are only marks, all of it.
std::string without_note_marks(std::string_view text);

}  // namespace fineprint
