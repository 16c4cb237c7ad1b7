// Reads what the check boxes and sticky notes of a PDF page say.
#pragma once

#include "fineprint/pdf/document.h"

#include "pdf/guard.h"

namespace fineprint::pdf {

// Puts a word for each check box and radio button of a form on the page, U+2612 if it is ticked and
// U+2610 if not, in place of the sign drawn in it. Otherwise an empty box would leave no trace in
// the text. Does nothing for documents other than PDF. `origin` is the top left of the page.
void add_check_boxes(fz_context* context, fz_page* source, fz_point origin, RawPage* page);

// Adds the texts of sticky notes and of comments on marked text to RawPage::notes. They are not
// drawn on the page. Does nothing for documents other than PDF.
void add_notes(fz_context* context, fz_page* source, fz_point origin, RawPage* page);

}  // namespace fineprint::pdf
