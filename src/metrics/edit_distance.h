// How many edits apart two texts are.
#pragma once

#include <cstddef>
#include <string_view>

namespace fineprint::metrics {

// Levenshtein distance: insertions, deletions and replacements of code points, each of cost 1.
// Source: Levenshtein (1966); the recurrence of Wagner and Fischer (1974).
std::size_t edit_distance(std::string_view a, std::string_view b);

}  // namespace fineprint::metrics
