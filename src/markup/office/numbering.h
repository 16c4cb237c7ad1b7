// Counts the numbers of paragraphs in lists: "2.2", "(a)", "•". Source: ECMA-376, part 1, 17.9.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "markup/office/package.h"

namespace fineprint::markup {

// Returns the number as a format of ECMA-376 writes it: "lowerRoman" makes 4 "iv". Unknown formats
// give decimal digits, and "none" gives "".
std::string formatted_number(int number, std::string_view format);

// The lists of a text document, with their counts so far.
class Numbering {
 public:
  static constexpr int kLevels = 9;

  // Reads the part with the lists, if there is one. Throws as Package::xml does.
  Numbering(const Package& package, const std::string& main);

  // Counts a paragraph of list `list` (w:numId) at `level` (from 0), and returns what is written
  // before it. Returns "" if there is no such list or it writes nothing.
  std::string next(int list, int level);
  // Returns the level of the list that a paragraph style is linked to.
  std::optional<int> level_of_style(int list, const std::string& style) const;

 private:
  struct Level {
    int start = 1;
    std::string format = "decimal", text, style;
    int restart = -1;           // a level from 1 after which it starts again; -1: any above it
    bool only_decimal = false;  // writes the numbers of levels above as decimals
  };
  struct List {
    int counts = 0;  // lists that are made from the same definition count together
    std::array<Level, kLevels> levels;
    std::array<std::optional<int>, kLevels> starts;  // starts of this list, from its first use
    bool used = false;
  };
  using Counts = std::array<std::optional<int>, kLevels>;

  static void read_level(const Node& node, Level* level);
  void read_lists(const Node& root);
  void count(const List& list, int level, Counts* counts) const;

  std::map<int, List> lists_;
  std::map<int, Counts> counts_;  // by definition
};

// Returns the integer value of an attribute, or `fallback` if it is missing or not a number.
int number_of(const Node& node, std::string_view name, int fallback);

}  // namespace fineprint::markup
