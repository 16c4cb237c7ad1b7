// Shortens the texts of a map: one line each, of bounded length.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace fineprint::docmap {

// Returns at most `most` code points. Cuts between words if possible, and ends with "…" if
// something is left out.
std::string shortened(const std::string& text, std::size_t most);

// Returns the first sentence on one line, at most kMostSummary long.
std::string first_sentence(std::string_view text);

}  // namespace fineprint::docmap
