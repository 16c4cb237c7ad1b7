// A MuPDF device that has the JPEGs of a page decoded by somebody else, at the scale they are
// drawn.
#pragma once

#include "fineprint/pdf/document.h"

#include "pdf/guard.h"

namespace fineprint::pdf {

// Who decodes, and what was decoded last: MuPDF draws a picture at once and asks no more for it.
struct JpegStandIn {
  const JpegDecoder& decode;
  Image picture;
  int left = 16;  // a page that draws one picture a thousand times is better off with MuPDF's cache
};

// Passes everything on to `target`, to which it keeps a reference of its own; closing it closes
// both. Pictures that are no plain large JPEG, and those that `decode` gives back empty, are
// MuPDF's. Throws as MuPDF does: call it inside `guarded`.
fz_device* new_jpeg_device(fz_context* context, fz_device* target, JpegStandIn* stand_in);

}  // namespace fineprint::pdf
