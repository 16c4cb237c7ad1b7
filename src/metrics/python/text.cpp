// White space and stripping as in Python.
#include "metrics/python/text.h"

#include <algorithm>

#include "fineprint/core/unicode.h"

namespace fineprint::metrics::python {
namespace {

// Returns where the last character begins. The text must not be empty.
std::size_t last_character(std::string_view text) {
  std::size_t at = text.size() - 1;
  while (at > 0 && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) --at;
  return at;
}

}  // namespace

bool is_blank(char32_t c) { return is_space(c) || (c >= 0x1C && c <= 0x1F); }

std::u32string code_points(std::string_view utf8) {
  std::u32string out;
  out.reserve(utf8.size());
  for (std::size_t at = 0; at < utf8.size();) out += next_code_point(utf8, &at);
  return out;
}

std::string utf8(std::u32string_view text) {
  std::string out;
  for (const char32_t c : text) append_utf8(c, &out);
  return out;
}

std::size_t length(std::string_view utf8) {
  std::size_t count = 0;
  for (std::size_t at = 0; at < utf8.size(); ++count) next_code_point(utf8, &at);
  return count;
}

std::string_view strip(std::string_view text) {
  while (!text.empty()) {
    std::size_t next = 0;
    if (!is_blank(next_code_point(text, &next))) break;
    text.remove_prefix(next);
  }
  return strip_right(text);
}

std::string_view strip_right(std::string_view text) {
  while (!text.empty()) {
    const std::size_t begin = last_character(text);
    std::size_t at = begin;
    if (!is_blank(next_code_point(text, &at))) break;
    text = text.substr(0, begin);
  }
  return text;
}

std::string_view strip_right(std::string_view text, std::string_view characters) {
  return text.substr(0, text.find_last_not_of(characters) + 1);
}

std::string_view strip_left(std::string_view text, std::string_view characters) {
  return text.substr(std::min(text.find_first_not_of(characters), text.size()));
}

}  // namespace fineprint::metrics::python
