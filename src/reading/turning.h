// Handles pages whose picture is turned for reading, and puts the results back in their place.
#pragma once

#include "fineprint/core/document.h"
#include "fineprint/pdf/document.h"

namespace fineprint::reading {

// A turn of a page: first by quarters of a circle, then by degrees; both counter-clockwise.
struct Turn {
  int quarters = 0;  // 0..3
  double degrees = 0;
};

// Turns a page by the quarters of a turn: its sides, and all boxes except those of words.
void turn_frame(pdf::RawPage& page, int quarters);

// Moves words, lines and elements found on a page after `turn` to the page before it.
void turn_back(Page& page, const Turn& turn);

}  // namespace fineprint::reading
