// Determines which way a page is written: from right to left, or down in columns.
#pragma once

#include <string_view>

#include "fineprint/pdf/document.h"

namespace fineprint::reading {

// Returns whether the text has a letter of a script that is written from right to left (Hebrew,
// Arabic, ...).
bool is_right_to_left(std::string_view text);
// Returns whether the text has a Chinese or Japanese character. These can be written downwards
// without being turned.
bool is_ideographic(std::string_view text);

// Returns whether most letters of the page belong to scripts that are written from right to left.
bool runs_right_to_left(const pdf::RawPage& page);

// Returns the page in a mirror, with unchanged words. Lines, columns and tables that ran from right
// to left then run from left to right. Mirroring twice gives the original.
pdf::RawPage mirrored(const pdf::RawPage& page);
Box mirrored(const Box& box, float page_width_pt);

}  // namespace fineprint::reading
