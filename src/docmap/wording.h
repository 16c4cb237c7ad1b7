// Texts of a map: one line each, of bounded length.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace fineprint::docmap {

// White space of all kinds becomes one blank, none at the ends.
std::string one_line(std::string_view text);

// At most so many code points: whole words as far as there are any, and "…" where some were left
// out.
std::string shortened(const std::string& text, std::size_t most);

// The first sentence on one line, at most kMostSummary long.
std::string first_sentence(std::string_view text);

}  // namespace fineprint::docmap
