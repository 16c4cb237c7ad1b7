// Finds the characters of a line that are raised.
#pragma once

#include <vector>

#include "pdf/guard.h"

namespace fineprint::pdf {

// Returns which characters of a line are raised, in their order: smaller than the nearest character
// on the baseline and above it, or higher still. More than a few in a row are small text next to
// large text, and not raised.
std::vector<bool> raised_characters(const fz_stext_line& line);

}  // namespace fineprint::pdf
