// Pictures that show whether the doubtful words of a page leave ink.
#pragma once

#include "fineprint/pdf/document.h"

#include "pdf/guard.h"

namespace fineprint::pdf {

// What a page shows around its doubtful words. Pixmaps have the same area.
struct InkPictures {
  explicit InkPictures(fz_context* context)
      : drawn(context), without(context), glyphs(context), others(context) {}
  OwnedPixmap drawn, without;  // RGB: the page, and the page without the doubted texts
  OwnedPixmap glyphs, others;  // grey: glyphs of the doubted texts and of all other texts, in black
  float pixels_a_point = 0;
};

// Draws them. `page` is what was read from `source`, with its doubts.
Failure draw_ink_pictures(fz_context* context, fz_page* source, const RawPage& page,
                          InkPictures* pictures);

// Runs the contents of a page, its annotations and its form fields.
void run_all(fz_context* context, fz_page* page, fz_device* device, fz_matrix matrix,
             fz_cookie* cookie);

}  // namespace fineprint::pdf
