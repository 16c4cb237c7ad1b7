// What a misspelt name was meant to be.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fineprint::cli {

// The name that is nearest to what was typed: by letters that are wrong, missing, too many, or
// exchanged with the next (optimal string alignment); the first of equals. nullopt when none is
// nearer than a third of the longer one's letters.
std::optional<std::string> nearest_name(std::string_view typed,
                                        const std::vector<std::string>& names);

}  // namespace fineprint::cli
