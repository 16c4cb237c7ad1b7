// Finds gaps in prompts: {name}.
#pragma once

#include <string_view>
#include <vector>

namespace fineprint::agents {

// A gap and its position.
struct Gap {
  std::size_t begin = 0, end = 0;  // bytes, braces included
  std::string_view name;
};

// Returns all gaps in order.
std::vector<Gap> find_gaps(std::string_view text);

}  // namespace fineprint::agents
