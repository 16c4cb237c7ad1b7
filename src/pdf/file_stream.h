// Lets MuPDF read a file that this process may not open itself.
#pragma once

#include <string>

#include <mupdf/fitz.h>

namespace fineprint::pdf {

// Opens a file as open_to_read does. Call it in `guarded`: it throws MuPDF's error
// FZ_ERROR_SYSTEM if the file cannot be opened, as reading the stream does.
fz_stream* open_file_stream(fz_context* context, const char* path);

}  // namespace fineprint::pdf
