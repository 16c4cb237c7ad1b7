// Recognises the beginning of a mark at the end of a text that is still arriving.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace fineprint::serving {

// Returns the length of the longest end of `text` that begins `mark` without completing it; 0 if
// none does. `mark` must not be empty.
inline std::size_t begun_length(std::string_view text, std::string_view mark) {
  for (std::size_t n = std::min(mark.size() - 1, text.size()); n > 0; --n) {
    if (text.ends_with(mark.substr(0, n))) return n;
  }
  return 0;
}

}  // namespace fineprint::serving
