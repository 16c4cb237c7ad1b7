// Texts of a map: one line each, of bounded length.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace fineprint::docmap {

// At most so many code points: whole words as far as there are any, and "…" where some were left
// out.
std::string shortened(const std::string& text, std::size_t most);

// The first sentence on one line, at most kMostSummary long.
std::string first_sentence(std::string_view text);

}  // namespace fineprint::docmap
