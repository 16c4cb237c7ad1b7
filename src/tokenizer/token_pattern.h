// The patterns of tokenizer files: a literal string, or a regular expression in Oniguruma's syntax.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "tokenizer/normal_text.h"

namespace fineprint::tokenizer {

// A part of a text: a match of the pattern, or the text between two matches.
struct PatternSpan {
  Range range;
  bool is_match = false;
};

// Immutable, cheap to copy and thread-safe.
class TokenPattern {
 public:
  using Sink = std::function<void(const PatternSpan&)>;

  // Both throw Error(model) if the pattern cannot be used.
  static TokenPattern literal(std::string text);
  static TokenPattern expression(const std::string& oniguruma);

  // Calls `sink` for each part of the text (valid UTF-8) in order, matches and the text between
  // them, with the borders of the reference library. Matches may be empty; the parts between are
  // not. Throws Error(model) if the expression takes too many steps.
  void scan(std::string_view text, const Sink& sink) const;

 private:
  struct Code;
  TokenPattern() = default;
  void scan_literal(std::string_view text, const Sink& sink) const;
  void scan_expression(std::string_view text, const Sink& sink) const;

  std::string source_;
  std::shared_ptr<const Code> code_;  // null for a literal string
};

// Returns an expression in PCRE2's syntax that matches what `expression` matches in Oniguruma,
// including \s,
// w, \b and anchors. Throws Error(model) for syntax that cannot be translated.
std::string pcre_from_oniguruma(const std::string& expression);

}  // namespace fineprint::tokenizer
