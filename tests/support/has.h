// Whether a text has a part in it: what tests ask of messages.
#pragma once

#include <string_view>

namespace fineprint::testing {

inline bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

}  // namespace fineprint::testing
