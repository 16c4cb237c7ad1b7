// Joins bytes that arrive in pieces into characters.
#pragma once

#include <string>
#include <string_view>

namespace fineprint::tokenizer {

inline constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

// Checks byte by byte whether a sequence is UTF-8 so far.
// Source: Unicode Standard, table 3-7 (well-formed byte sequences).
class Utf8Checker {
 public:
  // Returns false if the byte cannot follow; the state then stays the same.
  bool accepts(char byte);
  bool is_complete() const { return missing_ == 0; }

 private:
  int missing_ = 0;                         // bytes that the current character still needs
  unsigned char low_ = 0x80, high_ = 0xBF;  // range of the next byte
};

// Joins bytes into characters. The longest valid start of an invalid character becomes one U+FFFD,
// and so does each byte that cannot start a character.
class Utf8Joiner {
 public:
  // Appends all complete characters. The start of a character waits.
  void add(std::string_view bytes, std::string* out);
  // Appends U+FFFD if bytes are waiting.
  void finish(std::string* out);

 private:
  std::string waiting_;
  Utf8Checker checker_;
};

}  // namespace fineprint::tokenizer
