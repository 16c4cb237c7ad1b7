// Bytes of text files, in whatever encoding, as UTF-8.
#pragma once

#include <string>

namespace fineprint::markup {

// By the byte order mark; without one UTF-8 if that fits, else Windows-1252. Line ends become '\n'.
std::string decoded(const std::string& bytes);

// From the encoding that is named; as `decoded` where the name is not known or does not fit.
std::string decoded_from(const std::string& bytes, const std::string& encoding);

}  // namespace fineprint::markup
