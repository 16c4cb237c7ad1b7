// Numbers as documents print them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace fineprint::models {

// `begin` to `end` are the digits with their separators, without sign or unit, in bytes.
struct PrintedNumber {
  std::uint32_t begin = 0, end = 0;
  double value = 0;      // with its sign: "(1,234)" and "-1,234" are -1234
  bool percent = false;  // a % stands behind it, or behind the parenthesis that closes it
};

// All numbers of a text, in order: "1,234.5", "(1,234)", "-12", "$4.2", "12.5%". Digits that are
// part of a word ("Q3", "B2B", "1st") are none. A comma parts thousands where three digits follow
// it.
std::vector<PrintedNumber> numbers_in(std::string_view text);

// The number that a table's cell is, with currency signs, footnote marks and units beside it;
// nothing for a cell with other words, with several numbers, or with none. A dash alone is nothing,
// too.
std::optional<double> number_of_cell(std::string_view cell);

}  // namespace fineprint::models
