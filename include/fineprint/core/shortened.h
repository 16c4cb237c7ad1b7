// Texts of strangers in messages, which may be of any length.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace fineprint {

// The text, or, when it has more bytes than `most`, its begin and its end with the number of bytes
// between them that are left out. Characters stay whole.
std::string shortened(std::string_view text, std::size_t most);

}  // namespace fineprint
