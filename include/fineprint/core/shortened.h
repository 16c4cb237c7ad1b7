// Shortens texts of unknown length for messages.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace fineprint {

// Returns `text`, or, if it has more than `most` bytes, its beginning (about three quarters of
// `most`) and its end with a note of how many bytes are left out in between. Never cuts a UTF-8
// character.
std::string shortened(std::string_view text, std::size_t most);

}  // namespace fineprint
