// Recognises paths that are rectangles.
#pragma once

#include <mupdf/fitz.h>

namespace fineprint::pdf {

// Returns whether the path is a rectangle with sides along the axes of the page, and sets `box` to
// it. MuPDF's own test does not know rectangles that return to their first point before they are
// closed, as browsers write them. Throws as MuPDF does.
bool is_box(fz_context* context, const fz_path* path, fz_matrix ctm, fz_rect* box);

}  // namespace fineprint::pdf
