// Sentences of other languages than English.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace fineprint::text {

// Where sentences end, as byte offsets, ascending; the last is the text's end. By ICU's rules;
// besides, no sentence ends at the end of a line, behind a single letter ("z. B."), behind an
// abbreviation of language_words.h, or behind the ordinal numbers of languages that write them with
// a full stop ("12. März").
std::vector<std::uint32_t> local_sentence_ends(std::string_view utf8, std::string_view language);

}  // namespace fineprint::text
