// Words as the keyword search sees them: folded, split, stemmed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fineprint::text {

// The terms of a text in order, repeats kept. Folded (see unicode.h), split at everything that is
// neither letter nor digit (a number keeps inner '.' and loses inner ','; "FY2022" and "FY22" also
// yield "2022"; ideographs and kana are terms of their own), stop words and what follows an
// apostrophe ("'s", "n't") dropped, Snowball English stemming. What holds a digit is not stemmed.
std::vector<std::string> terms(std::string_view utf8);

// The same for a question: words that only ask ("which", "according to the report") go too, unless
// nothing else is left.
std::vector<std::string> query_terms(std::string_view utf8);

// Snowball's English stem of one folded word.
std::string stem(std::string_view word);
bool is_stop_word(std::string_view folded_word);

}  // namespace fineprint::text
