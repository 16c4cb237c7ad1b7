// Trims texts, lowers ASCII letters, and recognises years.
#include "fineprint/core/text.h"

#include <algorithm>

namespace fineprint {

std::string_view trim(std::string_view text) {
  constexpr std::string_view kAround = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kAround);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kAround) - first + 1);
}

// Not std::tolower, which depends on the locale.
std::string lower_ascii(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

std::size_t count_spaced_words(std::string_view text) {
  std::size_t words = 0;
  bool in_word = false;
  for (const char c : text) {
    const bool blank = c == ' ' || (c >= '\t' && c <= '\r');
    if (!blank && !in_word) ++words;
    in_word = !blank;
  }
  return words;
}

bool is_bare_year(std::string_view text) {
  return text.size() == 4 && (text.starts_with("19") || text.starts_with("20")) &&
         std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace fineprint
