// Splits sentences in languages other than English.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace fineprint::text {

// Returns the byte offsets at which sentences end, in ascending order; the last is the text's end.
// Follows ICU's rules, except that no sentence ends at a single line break, after a single letter
// ("z. B."), after an abbreviation of language_words.h, or after an ordinal number in languages
// that write it with a full stop ("12. März").
std::vector<std::uint32_t> local_sentence_ends(std::string_view utf8, std::string_view language);

}  // namespace fineprint::text
