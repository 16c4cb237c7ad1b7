// Lists that are written into strings as Python shows them: "[3, 5]", "['Chart', 'Table']".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fineprint::metrics {

// Its elements, strings without quotes and escapes, numbers as Python writes them; nullopt for what
// is no flat list of strings and numbers.
std::optional<std::vector<std::string>> parse_python_list(std::string_view text);

}  // namespace fineprint::metrics
