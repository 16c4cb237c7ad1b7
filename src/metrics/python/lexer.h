// Splits a Python expression into tokens.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "metrics/python/value.h"

namespace fineprint::metrics::python {

// A name, a literal, an operator or bracket, or the end.
struct Token {
  enum class Kind { name, literal, mark, end };
  Kind kind = Kind::end;
  std::string text = {};  // for a name or a mark
  Value value = {};       // for a literal: a number or a string

  bool is(std::string_view word) const { return kind != Kind::literal && text == word; }
};

// The limit on tokens. Longer sources throw MemoryError, so that every text is read in bounded
// time.
inline constexpr std::size_t kMostTokens = 10'000;

// Returns the tokens; the last one is the end. Throws Exception: SyntaxError where Python does, and
// for unsupported syntax (strings of bytes, formatted strings, complex numbers).
std::vector<Token> tokens_of(std::string_view source);

// Returns true for Python's keywords, which cannot be names.
bool is_keyword(std::string_view word);

}  // namespace fineprint::metrics::python
