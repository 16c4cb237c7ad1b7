// Which formats are read, and how they are told apart.
#pragma once

#include <string>

namespace fineprint::pdf {

// "PNG", "JPEG", ... by the first bytes of the file; empty when it is none of the picture formats.
std::string picture_format(const std::string& path);

}  // namespace fineprint::pdf
