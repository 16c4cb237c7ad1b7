// Function words and question words, which carry no content.
#pragma once

#include <string_view>

namespace fineprint::text {

// Returns true for words that only ask or address the reader: "which", "according", "please".
bool is_question_word(std::string_view folded_word, std::string_view language = {});

}  // namespace fineprint::text
