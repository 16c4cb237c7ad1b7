// Which formats are read, and how they are told apart.
#pragma once

#include <string>

namespace fineprint::pdf {

// "PNG", "JPEG", ... by the first bytes of the file; empty when it is none of the picture formats.
std::string picture_format(const std::string& path);

// "WebP", "PostScript", "a RAR archive", ... by the first bytes, for a file that could not be
// opened; empty when they say nothing.
std::string foreign_format(const std::string& path);

// Whether it is a text, sheet or slides of OpenDocument, by the first bytes.
bool is_open_document(const std::string& path);

}  // namespace fineprint::pdf
