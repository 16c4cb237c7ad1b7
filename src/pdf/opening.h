// The first steps with a file: is it there, what is it, does the password fit, has it pages.
#pragma once

#include <string>

#include "fineprint/pdf/document.h"

#include "pdf/guard.h"

namespace fineprint::pdf {

// An open, unlocked, laid-out document with at least one page. Throws Error: encrypted,
// wrong_password, damaged, unsupported, empty.
void open_document(fz_context* context, const std::string& path, const std::string& password,
                   OwnedDocument* document, int* page_count);

// The same of what a file was made into; `content` outlives the document.
void open_content(fz_context* context, const std::string& path, const Content& content,
                  OwnedDocument* document, int* page_count);

}  // namespace fineprint::pdf
