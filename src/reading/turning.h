// Pages whose picture is turned for reading, and what was found there put back in its place.
#pragma once

#include "fineprint/core/document.h"
#include "fineprint/pdf/document.h"

namespace fineprint::reading {

// First by quarters of a circle, then by degrees within them; both counter-clockwise.
struct Turn {
  int quarters = 0;  // 0..3
  double degrees = 0;
};

// The page as it is after the quarters of a turn: sides and boxes of what it holds besides words.
void turn_frame(pdf::RawPage& page, int quarters);

// Words, lines and elements that were found on a page after `turn`, in the page before it.
void turn_back(Page& page, const Turn& turn);

}  // namespace fineprint::reading
