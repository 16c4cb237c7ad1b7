// Recognises years among terms.
#pragma once

#include <algorithm>
#include <cctype>
#include <string>

namespace fineprint::pipelines::extractive {

// Returns whether `text` is a bare year, for example "2019": four digits from 1900 to 2099.
inline bool is_bare_year(const std::string& text) {
  return text.size() == 4 && (text.starts_with("19") || text.starts_with("20")) &&
         std::ranges::all_of(text, [](unsigned char c) { return std::isdigit(c) != 0; });
}

}  // namespace fineprint::pipelines::extractive
