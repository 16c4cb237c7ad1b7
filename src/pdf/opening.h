// The first steps with a file: is it there, what is it, does the password fit, has it pages.
#pragma once

#include <string>

#include "pdf/guard.h"

namespace fineprint::pdf {

// Throws Error: unreadable (missing, a directory, no permission) or empty.
void check_file(const std::string& path);

// An open, unlocked, laid-out document with at least one page. Throws Error: encrypted,
// wrong_password, damaged, unsupported, empty.
void open_document(fz_context* context, const std::string& path, const std::string& password,
                   OwnedDocument* document, int* page_count);

}  // namespace fineprint::pdf
