// Removes white space around texts.
#pragma once

#include <string>
#include <string_view>

namespace fineprint::agents {

// Returns the text without spaces, tabs and line ends around it.
inline std::string trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(kBlank) - first + 1));
}

}  // namespace fineprint::agents
