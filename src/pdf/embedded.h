// Finds what a PDF holds besides its pages.
#pragma once

#include <string>
#include <vector>

#include <mupdf/fitz.h>

#include "fineprint/core/embedded_file.h"

namespace fineprint::pdf {

// Returns the files embedded in a PDF, in the order of its name tree, as attachments and portfolios
// have them. Empty for other documents.
std::vector<EmbeddedFile> embedded_files(fz_context* context, fz_document* document);

// Returns the XML of a form whose pages are only made by programs that know XFA, or "" if the pages
// of the document show what it holds.
std::string dynamic_form(fz_context* context, fz_document* document);

}  // namespace fineprint::pdf
