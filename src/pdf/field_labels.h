// Reads the labels of form fields that have none on the page, and leaves out the fields' frames.
#pragma once

#include "fineprint/pdf/document.h"

#include "pdf/guard.h"

namespace fineprint::pdf {

// Adds a note "Label: value" for each filled field of a PDF form, and each box to tick, that has no
// text next to it or above it, if the file gives it a label for people (the tooltip, TU). Does
// nothing for documents other than PDF. `origin` is the top left of the page. Call it after
// add_check_boxes. Also takes the frames of fields out of the page's drawings, because a form is
// not a figure.
void add_field_labels(fz_context* context, fz_page* source, fz_point origin, RawPage* page);

}  // namespace fineprint::pdf
