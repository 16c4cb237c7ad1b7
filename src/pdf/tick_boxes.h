// Boxes to tick as words of a page, and which squares drawn on it are such boxes.
#pragma once

#include <vector>

#include "fineprint/core/geometry.h"
#include "fineprint/pdf/document.h"

namespace fineprint::pdf {

// A box to tick.
struct TickBox {
  Box box;
  bool ticked = false;
};

// Puts a word for the box on the page, U+2612 if it is ticked and U+2610 if not, in place of the
// sign drawn in it.
void put_box(const TickBox& one, RawPage* page);

// Puts a word for each box of these squares on the page. `squares`: the outlines of small squares.
// A square is a box to tick if a word is next to it and no other square adjoins it, as in a row of
// places for single letters; and if nothing is in it, or a cross, a tick or a smaller shape, which
// ticks it. A square that is filled as a whole is a key or an ornament.
void add_drawn_boxes(const std::vector<Box>& squares, RawPage* page);

}  // namespace fineprint::pdf
