// Which files are documents, by their names.
#pragma once

#include <string>

namespace fineprint::documents {

// Whether a file of this name is worth opening, by its extension (".pdf", ".PNG", ...). True also
// of scans in formats that are not read (".djvu", ...): opening them names the format.
bool has_document_name(const std::string& path);

// Whether it is a PDF without an extension, by its first bytes.
bool is_nameless_pdf(const std::string& path);

}  // namespace fineprint::documents
