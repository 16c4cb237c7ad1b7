// Small Unicode functions on UTF-8 text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace fineprint {

// Returns the text with each invalid sequence replaced by U+FFFD.
std::string valid_utf8(std::string_view bytes);

// Returns the form in which texts are compared: NFKC (compatibility composition) and case folding,
// without soft hyphens and zero-width characters, with plain quotes, dashes and blanks in place of
// typographic ones. For example, "“Ｒate”" becomes "\"rate\"".
std::string fold(std::string_view utf8);

// Returns the letters and digits of the folded text: "Invoice No. 7" becomes "invoiceno7".
std::string folded_letters(std::string_view utf8);

// Returns a name in the form in which names are compared: letters and their marks composed (NFC),
// so that a name as macOS writes it equals the same name as it is typed. Returns a name that is not
// UTF-8 as it is.
std::string composed_name(std::string_view name);

// Replaces each run of white space by one blank and removes it at both ends. Invalid bytes become
// U+FFFD.
std::string one_line(std::string_view utf8);

// Returns the code point of `utf8` at `*at`, which must be less than its size, and moves `*at` past
// it. Returns U+FFFD for an invalid byte.
char32_t next_code_point(std::string_view utf8, std::size_t* at);
// Counts code points, that is, all bytes except continuation bytes. `utf8` must be valid.
std::size_t count_code_points(std::string_view utf8);
// Appends the UTF-8 bytes of a code point. `c` must be at most U+10FFFF.
void append_utf8(char32_t c, std::string* out);

// Character classes of Unicode. Letters include combining marks, and digits are the decimal digits
// of all scripts.
bool is_letter(char32_t c);
bool is_digit(char32_t c);
inline bool is_letter_or_digit(char32_t c) { return is_letter(c) || is_digit(c); }
bool is_space(char32_t c);
// Returns true if `c` belongs to a script without blanks between words: Han, Hiragana or Katakana.
bool is_han_or_kana(char32_t c);

}  // namespace fineprint
