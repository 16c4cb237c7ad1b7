// Function words that carry no content of their own.
#pragma once

#include <string_view>

namespace fineprint::text {

// Words that only ask or address the reader: "which", "according", "please".
bool is_question_word(std::string_view folded_word, std::string_view language = {});

}  // namespace fineprint::text
