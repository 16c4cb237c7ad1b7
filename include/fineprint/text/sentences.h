// Splits running text into sentences.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace fineprint::text {

// Bytes [begin, end) of the input, without surrounding white space.
struct Span {
  std::uint32_t begin = 0, end = 0;
};

// Sentence spans in order. A newline does not end a sentence; a blank line does. Abbreviations
// ("e.g.", "No.", "U.S."), decimals and initials do not end one. Those of other languages than
// English ("") by ICU's rules, and their abbreviations and ordinal numbers ("12. Mai").
std::vector<Span> sentences(std::string_view utf8, std::string_view language = {});

}  // namespace fineprint::text
