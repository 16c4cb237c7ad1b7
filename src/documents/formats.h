// Which files are documents, by their names.
#pragma once

#include <string>

namespace fineprint::documents {

// In lower case, without its dot; empty when there is none.
std::string extension_of(const std::string& path);

// Whether a file of this name is worth opening, by its extension (".pdf", ".PNG", ...). True also
// of scans in formats that are not read (".djvu", ...): opening them names the format.
bool has_document_name(const std::string& path);

// Whether no folder is searched for what has this name: hidden, or a lock file ("~$...").
bool is_passed_over(const std::string& name);

// Whether it is a PDF without an extension, by its first bytes.
bool is_nameless_pdf(const std::string& path);

}  // namespace fineprint::documents
