// Small Unicode services over UTF-8.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace fineprint {

// Replaces invalid sequences by U+FFFD.
std::string valid_utf8(std::string_view bytes);

// Compatibility-composed (NFKC), case-folded, soft hyphens and zero-width characters dropped,
// typographic quotes, dashes and blanks made plain: the form in which texts are compared.
std::string fold(std::string_view utf8);

// White space of all kinds becomes one blank, none at the ends; U+FFFD for an invalid byte.
std::string one_line(std::string_view utf8);

// One code point from `utf8` at `*at`, which moves past it; U+FFFD for an invalid byte.
char32_t next_code_point(std::string_view utf8, std::size_t* at);
void append_utf8(char32_t c, std::string* out);

bool is_letter(char32_t c);
bool is_digit(char32_t c);
inline bool is_letter_or_digit(char32_t c) { return is_letter(c) || is_digit(c); }
bool is_space(char32_t c);
// A character of the scripts in which no blanks stand between words and at line ends.
bool is_han_or_kana(char32_t c);

}  // namespace fineprint
