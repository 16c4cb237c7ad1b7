// Finds numbers as documents print them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace fineprint::text {

// A number in a text. `begin` and `end` are byte offsets of its digits and separators, without sign
// and unit.
struct PrintedNumber {
  std::uint32_t begin = 0, end = 0;
  double value = 0;      // with its sign: "(1,234)" and "-1,234" both give -1234
  bool percent = false;  // a % follows it, or the parenthesis that closes it
};

// Returns all numbers of a text, in order, for example of "1,234.5", "(1,234)", "-12", "$4.2" or
// "12.5%". Digits within a word ("Q3", "B2B", "1st") do not count. A comma separates thousands if
// exactly three digits follow it.
std::vector<PrintedNumber> numbers_in(std::string_view text);

// Returns where the number that goes on at `begin` starts, which is `begin` itself unless blanks
// separate its thousands: 0 for the "700" of "12 700 tonnes". A word must follow, because columns
// of figures look alike.
std::uint32_t start_of_number(std::string_view text, std::uint32_t begin);

// Returns the number of a table cell. The cell may also contain currency signs, footnote marks and
// units. A comma that is not before three digits is a decimal comma, and points before it separate
// thousands: "1.234,50 €". Returns nullopt if the cell has other words, several numbers or none; a
// dash alone is no number.
std::optional<double> number_of_cell(std::string_view cell);

}  // namespace fineprint::text
