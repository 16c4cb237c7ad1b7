// A Python expression cut into tokens.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "metrics/python/value.h"

namespace fineprint::metrics::python {

struct Token {
  enum class Kind { name, literal, mark, end };
  Kind kind = Kind::end;
  std::string text = {};  // of a name or a mark
  Value value = {};       // of a literal: a number or a string

  bool is(std::string_view word) const { return kind != Kind::literal && text == word; }
};

// Of all that is accepted: longer sources raise MemoryError, so that whatever is given is read in
// bounded time.
inline constexpr std::size_t kMostTokens = 10'000;

// The last token is the end. Throws Exception: SyntaxError where Python does, and for what is not
// known here (strings of bytes, formatted strings, complex numbers).
std::vector<Token> tokens_of(std::string_view source);

// The words that are no names.
bool is_keyword(std::string_view word);

}  // namespace fineprint::metrics::python
