// A MuPDF device that lets another decoder read the JPEGs of a page, at the scale at which they are
// drawn.
#pragma once

#include "fineprint/pdf/document.h"

#include "pdf/guard.h"

namespace fineprint::pdf {

// The decoder and the picture that it decoded last. MuPDF draws a picture at once, so one is
// enough.
struct JpegStandIn {
  const JpegDecoder& decode;
  Image picture;
  // Pictures that may still be decoded. A page that draws one picture a thousand times is faster
  // with MuPDF's cache.
  int left = 16;
};

// Returns a device that passes everything on to `target`. It keeps its own reference to `target`,
// and closing it closes both. Images that are not plain large JPEGs, and images for which `decode`
// returns nothing, are left to MuPDF. Throws as MuPDF does, so call it inside `guarded`.
fz_device* new_jpeg_device(fz_context* context, fz_device* target, JpegStandIn* stand_in);

}  // namespace fineprint::pdf
