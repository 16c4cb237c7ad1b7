// Reads lists that strings contain in Python's notation: "[3, 5]", "['Chart', 'Table']".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fineprint::metrics {

// Returns the elements of a list: strings without quotes and escapes, numbers as Python writes
// them. Returns nullopt if the text is not a flat list of strings and numbers.
std::optional<std::vector<std::string>> parse_python_list(std::string_view text);

}  // namespace fineprint::metrics
