// The edit distance of two texts.
#pragma once

#include <cstddef>
#include <string_view>

namespace fineprint::metrics {

// Returns the Levenshtein distance: insertions, deletions and replacements of code points cost 1
// each. Source: Levenshtein (1966); the recurrence of Wagner and Fischer (1974).
std::size_t edit_distance(std::string_view a, std::string_view b);

}  // namespace fineprint::metrics
