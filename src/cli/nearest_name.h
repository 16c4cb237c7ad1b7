// Finds the name that a misspelt word was meant to be.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fineprint::cli {

// Returns the name nearest to `typed`, counting letters that are wrong, missing, extra, or
// exchanged with the next one (optimal string alignment). The first of several equally near names
// wins. Returns nullopt if more than a third of the longer word's letters differ. For example,
// "serach" gives "search".
std::optional<std::string> nearest_name(std::string_view typed,
                                        const std::vector<std::string>& names);

}  // namespace fineprint::cli
