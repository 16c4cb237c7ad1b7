// Splits running text into sentences.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace fineprint::text {

// Bytes [begin, end) of a text, without surrounding white space.
struct Span {
  std::uint32_t begin = 0, end = 0;
};

// Returns the sentences in order. A blank line ends a sentence; a single newline does not.
// Abbreviations ("e.g.", "No.", "U.S."), decimals and initials do not end one either. For languages
// other than English (""), ICU's rules apply, with that language's abbreviations and ordinal
// numbers ("12. Mai").
std::vector<Span> sentences(std::string_view utf8, std::string_view language = {});

}  // namespace fineprint::text
