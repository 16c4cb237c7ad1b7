// Regular expressions over UTF-8.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fineprint/text/sentences.h"

namespace fineprint::text {

// One occurrence of a pattern.
struct Match {
  std::vector<Span> groups;  // group 0 is the whole; a group that took no part is empty
  const Span& whole() const { return groups[0]; }
  bool has(std::size_t group) const { return groups[group].begin < groups[group].end; }
};

// A compiled expression (PCRE2's syntax). Immutable, cheap to copy, safe to share between threads.
// Bytes that are not UTF-8 match nothing. A search that takes too many steps ends early.
class Pattern {
 public:
  enum class Case { sensitive, ignored };
  explicit Pattern(const std::string& expression, Case letters = Case::ignored);

  // All occurrences that do not overlap, in order; empty ones are passed over.
  std::vector<Match> find_all(std::string_view utf8) const;
  bool occurs_in(std::string_view utf8) const;

  // The texts of the groups of all occurrences; group 0 is the whole.
  std::vector<std::vector<std::string>> matches(std::string_view utf8) const;
  // All occurrences replaced; $0 to $9 in `replacement` stand for groups.
  std::string replaced(std::string_view utf8, std::string_view replacement) const;

 private:
  struct Code;
  std::shared_ptr<const Code> code_;
};

}  // namespace fineprint::text
