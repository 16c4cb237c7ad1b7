// Handles strings as Python's methods do: by code points, with white space of all scripts.
#pragma once

#include <string>
#include <string_view>

namespace fineprint::metrics::python {

// str.isspace() for one character: white space, and the four separators of ASCII (U+001C to
// U+001F).
bool is_blank(char32_t c);

// Converts between UTF-8 and code points. Invalid bytes become U+FFFD.
std::u32string code_points(std::string_view utf8);
std::string utf8(std::u32string_view text);
// len(str): the number of code points.
std::size_t length(std::string_view utf8);

// str.strip() and str.rstrip() without arguments: they remove white space.
std::string_view strip(std::string_view text);
std::string_view strip_right(std::string_view text);
// str.rstrip(characters) and str.lstrip(characters): they remove every character that occurs in
// `characters`, which must be ASCII.
std::string_view strip_right(std::string_view text, std::string_view characters);
std::string_view strip_left(std::string_view text, std::string_view characters);

}  // namespace fineprint::metrics::python
