// The size in pixels of a document that is a picture.
#pragma once

#include "fineprint/core/document.h"

#include "pdf/guard.h"

namespace fineprint::pdf {

// Sets `info->picture_width` and `picture_height` from the first page of a picture file, as it is
// displayed (turned as its EXIF data says). Leaves both at 0 if that page draws no picture. Decodes
// nothing.
void read_picture_size(fz_context* context, fz_document* document, DocumentInfo* info);

}  // namespace fineprint::pdf
