// Finds numbers as documents print them.
#include "fineprint/text/numbers.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>

#include "fineprint/core/text.h"

namespace fineprint::text {
namespace {

constexpr std::array<std::string_view, 3> kMinusSigns = {"-", "\u2212", "\u2013"};
constexpr std::array<std::string_view, 5> kCurrencies = {"$", "\u20ac", "\u00a3", "\u00a5",
                                                         "\u20b9"};
// Units that may directly follow the digits.
constexpr std::array<std::string_view, 8> kUnits = {"m", "M", "mn", "bn", "B", "x", "pp", "bps"};
constexpr std::size_t kUnitLetters = 8;  // letters of a unit in a cell with a number

bool is_decimal_digit(char c) { return c >= '0' && c <= '9'; }
bool is_ascii_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Returns the number of letters from `at` on.
std::size_t letters_from(std::string_view text, std::size_t at) {
  std::size_t count = 0;
  while (at + count < text.size() && is_ascii_letter(text[at + count])) ++count;
  return count;
}

std::size_t digits_from(std::string_view text, std::size_t at) {
  std::size_t count = 0;
  while (at + count < text.size() && is_decimal_digit(text[at + count])) ++count;
  return count;
}

// Returns the end of the number that begins at `at`, with groups of thousands and a fraction.
// Groups can only follow one to three digits: "2019,123" is two numbers.
std::size_t end_of_digits(std::string_view text, std::size_t at) {
  std::size_t count = digits_from(text, at);
  std::size_t end = at + count;
  if (count <= 3) {
    while (end < text.size() && text[end] == ',' && digits_from(text, end + 1) == 3) end += 4;
  }
  if (end < text.size() && text[end] == '.') {
    const std::size_t fraction = digits_from(text, end + 1);
    if (fraction > 0) end += 1 + fraction;
  }
  return end;
}

// If one of `signs` ends at `at`, moves `at` before it and returns true.
template <std::size_t N>
bool step_before(std::string_view text, const std::array<std::string_view, N>& signs,
                 std::size_t* at) {
  for (const std::string_view sign : signs) {
    if (!text.substr(0, *at).ends_with(sign)) continue;
    *at -= sign.size();
    return true;
  }
  return false;
}

void skip_blanks_before(std::string_view text, std::size_t* at) {
  while (*at > 0 && text[*at - 1] == ' ') --*at;
}

void skip_blanks_after(std::string_view text, std::size_t* at) {
  while (*at < text.size() && text[*at] == ' ') ++*at;
}

bool is_minus(std::string_view text, std::size_t before) {
  std::size_t at = before;
  if (!step_before(text, kMinusSigns, &at)) return false;
  return at == 0 || !(is_decimal_digit(text[at - 1]) ||
                      is_ascii_letter(text[at - 1]));  // else it is a range, for example "10-12"
}

// Reads the sign and the % around the digits [begin, end). Parentheses mean a negative number,
// except around a year: "(2019)".
void read_surroundings(std::string_view text, PrintedNumber* number) {
  std::size_t before = number->begin, after = number->end;
  bool negative = is_minus(text, before);
  if (step_before(text, kCurrencies, &before)) negative = negative || is_minus(text, before);
  skip_blanks_before(text, &before);
  if (step_before(text, kCurrencies, &before)) skip_blanks_before(text, &before);
  const bool opened = before > 0 && text[before - 1] == '(';
  skip_blanks_after(text, &after);
  const auto take = [&](char c) {
    if (after >= text.size() || text[after] != c) return false;
    ++after;
    return true;
  };
  number->percent = take('%');
  // "(12)%" has the sign outside, "(12%)" inside.
  if (opened && take(')')) {
    skip_blanks_after(text, &after);
    number->percent = take('%') || number->percent;
    negative = negative || !is_bare_year(text.substr(number->begin, number->end - number->begin));
  }
  if (negative) number->value = -number->value;
}

double value_of(std::string_view digits) {
  std::string plain(digits);
  std::erase(plain, ',');
  double value = 0;
  std::from_chars(plain.data(), plain.data() + plain.size(), value);
  return value;
}

// Returns whether the text is digits, perhaps in groups of three that points separate.
bool is_whole_number(std::string_view text) {
  std::size_t end = digits_from(text, 0);
  if (end == 0 || (end > 3 && end < text.size())) return false;
  while (end < text.size() && text[end] == '.' && digits_from(text, end + 1) == 3) end += 4;
  return end == text.size();
}

// Returns a text with a decimal comma as one with a decimal point: "1.234,50 €" becomes "1234.50
// €". Returns nullopt if it has none. A comma before three digits separates thousands.
std::optional<std::string> with_decimal_point(std::string_view text) {
  const std::size_t comma = text.find(',');
  if (comma == std::string_view::npos) return std::nullopt;
  const std::size_t fraction = digits_from(text, comma + 1);
  std::size_t first = comma;
  while (first > 0 && (is_decimal_digit(text[first - 1]) || text[first - 1] == '.')) --first;
  std::string whole(text.substr(first, comma - first));
  if (fraction == 0 || fraction == 3 || !is_whole_number(whole)) return std::nullopt;
  std::erase(whole, '.');
  return std::string(text.substr(0, first)) + whole + "." + std::string(text.substr(comma + 1));
}

// Cuts off notes in brackets: "1,234[1]".
std::string_view without_marks(std::string_view cell) {
  const std::size_t bracket = cell.find('[');
  if (bracket != std::string_view::npos && bracket > 0) cell = cell.substr(0, bracket);
  return cell;
}

}  // namespace

std::vector<PrintedNumber> numbers_in(std::string_view text) {
  std::vector<PrintedNumber> numbers;
  for (std::size_t at = 0; at < text.size();) {
    if (!is_decimal_digit(text[at])) {
      ++at;
      continue;
    }
    const bool in_word = at > 0 && is_ascii_letter(text[at - 1]);
    const std::size_t end = end_of_digits(text, at), letters = letters_from(text, end);
    const std::string_view unit = text.substr(end, letters);
    if (!in_word && (letters == 0 || std::ranges::find(kUnits, unit) != kUnits.end())) {
      PrintedNumber number = {static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(end),
                              value_of(text.substr(at, end - at)), false};
      read_surroundings(text, &number);
      numbers.push_back(number);
    }
    at = end + letters;
  }
  return numbers;
}

std::uint32_t start_of_number(std::string_view text, std::uint32_t begin) {
  constexpr std::size_t kGroup = 3;
  const std::size_t after = begin + kGroup;
  const bool is_counted = digits_from(text, begin) == kGroup && after + 1 < text.size() &&
                          text[after] == ' ' && is_ascii_letter(text[after + 1]);
  std::size_t at = begin, digits = kGroup;
  while (is_counted && digits == kGroup && at >= 2 && text[at - 1] == ' ') {
    std::size_t first = at - 1;
    while (first > 0 && is_decimal_digit(text[first - 1])) --first;
    digits = at - 1 - first;
    // "1998 700 tonnes" and "1,200 700 tonnes" are two numbers.
    const bool is_whole = first == 0 || text[first - 1] == ' ';
    if (digits == 0 || digits > kGroup || !is_whole) break;
    at = first;
  }
  return static_cast<std::uint32_t>(at);
}

namespace {

// Returns whether a head says with these zeros what its figures leave out: "RPK (000's)", "(000)".
bool is_scale(std::string_view digits, std::string_view after) {
  const bool is_thousands = digits.size() >= 3 && digits.find_first_not_of("0,") == digits.npos;
  return is_thousands && (after.starts_with("s") || after.starts_with("'") ||
                          after.starts_with("’") || after.starts_with(")"));
}

}  // namespace

std::optional<double> number_of_cell(std::string_view cell) {
  std::string_view plain = without_marks(cell);
  const std::optional<std::string> pointed = with_decimal_point(plain);
  if (pointed) plain = *pointed;
  const std::vector<PrintedNumber> numbers = numbers_in(plain);
  if (numbers.size() != 1) return std::nullopt;
  const std::string_view before = plain.substr(0, numbers[0].begin);
  const std::string_view after = plain.substr(numbers[0].end);
  if (is_scale(plain.substr(before.size(), numbers[0].end - before.size()), after)) {
    return std::nullopt;
  }
  const auto others = [](std::string_view part) {
    return static_cast<std::size_t>(std::ranges::count_if(
        part, [](char c) { return is_ascii_letter(c) || is_decimal_digit(c); }));
  };
  if (others(before) > 3 || others(after) > kUnitLetters)
    return std::nullopt;  // allows "US$" before and "km" after the number
  return numbers[0].value;
}

}  // namespace fineprint::text
