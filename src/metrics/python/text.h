// Strings as Python's methods treat them: by code points, white space of all scripts.
#pragma once

#include <string>
#include <string_view>

namespace fineprint::metrics::python {

// str.isspace() of one character: white space, and the four separators of ASCII.
bool is_blank(char32_t c);

std::u32string code_points(std::string_view utf8);
std::string utf8(std::u32string_view text);
std::size_t length(std::string_view utf8);

// str.strip() and str.rstrip() of white space.
std::string_view strip(std::string_view text);
std::string_view strip_right(std::string_view text);
// str.rstrip(characters), str.lstrip(characters): each character that occurs in `characters`, which
// are of ASCII.
std::string_view strip_right(std::string_view text, std::string_view characters);
std::string_view strip_left(std::string_view text, std::string_view characters);

}  // namespace fineprint::metrics::python
