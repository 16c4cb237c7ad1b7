// Which way a page is written: scripts that run from right to left, or down in columns.
#pragma once

#include <string_view>

#include "fineprint/pdf/document.h"

namespace fineprint::reading {

// Whether it has a letter of a script that is written from right to left (Hebrew, Arabic, ...).
bool is_right_to_left(std::string_view text);
// Whether it has a Chinese or Japanese character: these can be written downwards, unturned.
bool is_ideographic(std::string_view text);

// Whether most letters of the page are of scripts that are written from right to left.
bool runs_right_to_left(const pdf::RawPage& page);

// The page as in a mirror, its words as they are: what ran from right to left runs from left to
// right then, lines, columns and tables alike. Twice is the page itself.
pdf::RawPage mirrored(const pdf::RawPage& page);
Box mirrored(const Box& box, float page_width_pt);

}  // namespace fineprint::reading
