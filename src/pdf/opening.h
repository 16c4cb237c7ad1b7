// The first steps with a file: does it exist, which format has it, does the password fit, does it
// have pages.
#pragma once

#include <string>

#include "fineprint/pdf/document.h"

#include "pdf/guard.h"

namespace fineprint::pdf {

// Opens, unlocks and lays out a document with at least one page. Throws Error: encrypted,
// wrong_password, damaged, unsupported, empty, or too_large.
void open_document(fz_context* context, const std::string& path, const std::string& password,
                   OwnedDocument* document, int* page_count);

// Does the same for converted contents. `content` must outlive the document.
void open_content(fz_context* context, const std::string& path, const Content& content,
                  OwnedDocument* document, int* page_count);

}  // namespace fineprint::pdf
