// Regular expressions on UTF-8 text.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fineprint/text/sentences.h"

namespace fineprint::text {

// One occurrence of a pattern.
struct Match {
  // Group 0 is the complete match; a group that did not take part is empty.
  std::vector<Span> groups;
  const Span& whole() const { return groups[0]; }
  bool has(std::size_t group) const { return groups[group].begin < groups[group].end; }
};

// A compiled expression in PCRE2's syntax. Immutable, cheap to copy and thread-safe. Invalid UTF-8
// matches nothing. A search that takes too many steps ends early. The constructor throws
// Error(internal) if the expression is invalid.
class Pattern {
 public:
  enum class Case { sensitive, ignored };
  explicit Pattern(const std::string& expression, Case letters = Case::ignored);

  // Returns all occurrences that do not overlap, in order. Skips empty ones.
  std::vector<Match> find_all(std::string_view utf8) const;
  // Returns true if the expression occurs at least once.
  bool occurs_in(std::string_view utf8) const;

  // Returns the texts of the groups of all occurrences; group 0 is the complete match.
  std::vector<std::vector<std::string>> matches(std::string_view utf8) const;
  // Returns the text with all occurrences replaced. $0 to $9 in `replacement` insert groups.
  std::string replaced(std::string_view utf8, std::string_view replacement) const;

 private:
  struct Code;
  std::shared_ptr<const Code> code_;
};

}  // namespace fineprint::text
