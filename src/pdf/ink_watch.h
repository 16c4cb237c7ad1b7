// A MuPDF device that finds text which may leave no ink, while a page passes through.
#pragma once

#include <mupdf/fitz.h>

#include "pdf/ink_log.h"

namespace fineprint::pdf {

// Returns a device that fills `log` and passes everything on to `target`. Texts are passed on with
// their number as colour, so that a text device gives each character the number of its text
// (fz_stext_char::argb without alpha). Texts are numbered in the order of calls, from 1. `page` is
// the visible area. The device keeps its own reference to `target`, and closing it closes both.
// Throws as MuPDF does, so call it inside `guarded`.
fz_device* new_ink_watch_device(fz_context* context, fz_device* target, InkLog* log, fz_rect page);

}  // namespace fineprint::pdf
