// Letters and words of languages. Encodings are distinguished by them.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace fineprint {

enum class Writing : std::uint8_t {
  latin,       // Latin letters, a few of them beyond ASCII
  alphabet,    // another alphabet
  ideographs,  // thousands of characters: Chinese, Japanese, Korean
};

// A language.
struct LettersRow {
  std::string_view language;  // ISO 639 code, with the script if a language has two
  Writing writing;
  std::string_view letters;  // lower case, the most frequent first
  std::string_view words;    // frequent ones, separated by blanks
};

std::span<const LettersRow> letters_rows();

}  // namespace fineprint
