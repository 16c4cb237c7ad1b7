// The patterns of tokenizer files: a string to find, or an expression in Oniguruma's syntax.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "tokenizer/normal_text.h"

namespace fineprint::tokenizer {

// A stretch of a text that the pattern matches, or one between matches.
struct PatternSpan {
  Range range;
  bool is_match = false;
};

// Immutable, cheap to copy, safe to share.
class TokenPattern {
 public:
  using Sink = std::function<void(const PatternSpan&)>;

  // Both throw Error(model) for what cannot be used.
  static TokenPattern literal(std::string text);
  static TokenPattern expression(const std::string& oniguruma);

  // The whole text (valid UTF-8) in order, matches and what is between them, as the reference
  // cuts it: matches may be empty, the stretches between are not. Throws Error(model) when the
  // expression takes too many steps.
  void scan(std::string_view text, const Sink& sink) const;

 private:
  struct Code;
  TokenPattern() = default;
  void scan_literal(std::string_view text, const Sink& sink) const;
  void scan_expression(std::string_view text, const Sink& sink) const;

  std::string source_;
  std::shared_ptr<const Code> code_;  // null for a string
};

// The same expression in PCRE2's syntax and with Oniguruma's meanings of \s, \w, \b, anchors.
// Throws Error(model) for what the two read differently.
std::string pcre_from_oniguruma(const std::string& expression);

}  // namespace fineprint::tokenizer
