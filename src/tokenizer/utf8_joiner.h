// Bytes that come in pieces, made into characters.
#pragma once

#include <string>
#include <string_view>

namespace fineprint::tokenizer {

inline constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

// Follows a sequence of bytes and says whether it is UTF-8 so far.
// Source: Unicode Standard, table 3-7 (well-formed byte sequences).
class Utf8Checker {
 public:
  // False when the byte cannot follow; the checker is then where it was.
  bool accepts(char byte);
  bool is_complete() const { return missing_ == 0; }

 private:
  int missing_ = 0;                         // bytes of the current character
  unsigned char low_ = 0x80, high_ = 0xBF;  // of the next byte
};

// Joins bytes into characters. The longest start of a character that goes wrong becomes one U+FFFD,
// and so does each byte that starts none.
class Utf8Joiner {
 public:
  // Appends what is settled; the start of a character waits.
  void add(std::string_view bytes, std::string* out);
  // Appends U+FFFD for what waits.
  void finish(std::string* out);

 private:
  std::string waiting_;
  Utf8Checker checker_;
};

}  // namespace fineprint::tokenizer
