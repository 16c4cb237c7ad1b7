// Decides by file name which files are documents.
#pragma once

#include <string>

namespace fineprint::documents {

// Returns whether a file of this name is worth opening, by its extension (".pdf", ".PNG", ...).
// Also true for scans in formats that are not read (".djvu", ...), because opening them produces an
// error that names the format.
bool has_document_name(const std::string& path);

// Returns whether files and folders of this name are ignored: hidden ones and lock files ("~$...").
bool is_passed_over(const std::string& name);

// Returns whether the file is a PDF without an extension, by its first bytes.
bool is_nameless_pdf(const std::string& path);

}  // namespace fineprint::documents
