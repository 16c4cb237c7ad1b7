// Decodes the bytes of text files to UTF-8.
#pragma once

#include <string>

namespace fineprint::markup {

// Decodes by the byte order mark. Without one, takes the bytes as UTF-8 if they are valid, and as
// Windows-1252 if not. Line ends become '
// '.
std::string decoded(const std::string& bytes);

// Decodes from the named encoding. If the name is unknown or the bytes do not fit, works as
// `decoded`.
std::string decoded_from(const std::string& bytes, const std::string& encoding);

}  // namespace fineprint::markup
