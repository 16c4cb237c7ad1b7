// Kinds of characters, by code points as MuPDF gives them.
#pragma once

#include <string_view>

namespace fineprint::pdf {

constexpr int kReplacement = 0xFFFD;

bool is_blank(int c);
bool is_private_use(int c);

// Returns whether the character is of the blocks from Hebrew to Arabic Extended-A, or of their
// presentation forms.
bool is_right_to_left(int c);
// A letter of Arabic script, which a mark above or below a letter is not.
bool is_arabic_letter(int c);
// Returns whether a text in UTF-8 has such a character.
bool has_leftward_letter(std::string_view text);

// Digits run from left to right, even Arabic ones, and so do the characters between them.
bool is_any_digit(int c);
bool is_in_number(int c);

// A character that ends a sentence in scripts that put no blank after it.
bool is_wide_stop(int c);
// Closing marks that belong to the sentence before.
bool is_wide_closer(int c);
// A mark that ends a sentence or a part of one, with a blank after it.
bool is_closing_mark(int c);

// Returns the character that is visible on paper, for code points that mean something else, or
// nothing, to people.
int visible_character(int c);

}  // namespace fineprint::pdf
