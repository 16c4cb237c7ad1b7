// Translates the characters of symbol fonts to Unicode.
#pragma once

#include <string>
#include <string_view>

namespace fineprint::markup {

// Returns the Unicode text for a character of the fonts Symbol, Wingdings, Wingdings 2 or Webdings.
// Their characters are U+F020 to U+F0FF, or the same less U+F000. Returns "" for one that has no
// counterpart, and characters of other fonts unchanged. If `font` is empty, characters from U+F020
// to U+F0FF are taken as those of Symbol.
std::string symbol_text(std::string_view font, char32_t character);

// Returns a text of this font with its symbols translated. `font` may be empty.
std::string symbols_translated(std::string_view font, std::string_view utf8);

}  // namespace fineprint::markup
