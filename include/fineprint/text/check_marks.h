// Boxes to tick, as forms have them.
#pragma once

#include <cstdint>
#include <string_view>

namespace fineprint::text {

enum class CheckMark : std::uint8_t { none, empty, ticked };

// Returns whether a word is a box, and whether it is ticked. Boxes are U+2610 to U+2612, which the
// reader also writes for the check boxes and radio buttons of PDF forms, and "[]" and "[x]".
CheckMark check_mark(std::string_view word);

}  // namespace fineprint::text
