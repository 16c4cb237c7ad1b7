// The lines of a transcript test before anybody knows what they mean: keys at the left edge, what
// belongs to a key indented under it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fineprint::testing {

// An indented line, and those that are indented deeper under it.
struct CaseEntry {
  std::string text;  // without blanks around it
  int line = 0;
  std::vector<CaseEntry> below = {};
};

// "KEY REST", and the lines under it.
struct CaseKey {
  std::string key, rest;
  int line = 0;
  std::vector<CaseEntry> entries = {};
};

// Names file and line in what it throws.
class CasePlace {
 public:
  explicit CasePlace(std::string file) : file_(std::move(file)) {}
  // Throws Error(input).
  [[noreturn]] void refuse(int line, const std::string& why) const;

 private:
  std::string file_;
};

// Empty lines and those whose first sign is '#' are left out. Throws Error(input) for a tab at the
// left edge and for an indented line that stands under nothing.
std::vector<CaseKey> case_lines(std::string_view text, const CasePlace& place);

// "a  b c" as a, b, c.
std::vector<std::string> case_words(std::string_view text);
std::string case_trimmed(std::string_view text);
// What stands before and behind the first `sign`; nullopt without one.
std::optional<std::pair<std::string, std::string>> case_parts(std::string_view text,
                                                              std::string_view sign);

}  // namespace fineprint::testing
