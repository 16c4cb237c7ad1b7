// Recognises formats by the first bytes of a file.
#pragma once

#include <string>

namespace fineprint::pdf {

// Returns "PNG", "JPEG", ..., or "" if the file is not in one of the picture formats that MuPDF
// reads.
std::string picture_format(const std::string& path);

// Returns the name of a format that MuPDF does not read, for example "WebP", "PostScript" or "a RAR
// archive", or "" if the first bytes are unknown. Use it to explain why a file could not be opened.
std::string foreign_format(const std::string& path);

// Returns whether the file is an OpenDocument text, spreadsheet or presentation.
bool is_open_document(const std::string& path);

}  // namespace fineprint::pdf
