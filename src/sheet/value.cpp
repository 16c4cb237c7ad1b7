// Reads the values of each type.
#include "fineprint/sheet/value.h"

#include <algorithm>
#include <vector>

#include "fineprint/core/unicode.h"

namespace fineprint::sheet {
namespace {

// Longer texts are passages and not values.
constexpr std::size_t kMostTextBytes = 500;
constexpr std::size_t kMostUnitBytes = 12;

// Returns the letters and digits of a text, folded, with blanks around each word.
std::string packed_words(std::string_view text) {
  const std::string folded = fold(one_line(text));
  std::string words = " ";
  for (std::size_t at = 0; at < folded.size();) {
    const char32_t c = next_code_point(folded, &at);
    if (is_letter_or_digit(c)) {
      append_utf8(c, &words);
    } else if (words.back() != ' ') {
      words += ' ';
    }
  }
  if (words.back() != ' ') words += ' ';
  return words;
}

bool has_no_digit(const std::string& text) {
  return std::ranges::none_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

std::optional<TypedValue> number_value(const Column& column, std::string_view printed,
                                       std::string_view language) {
  const auto amount = printed_amount(printed, language, /*is_money=*/false);
  if (!amount || !amount->before.empty()) return std::nullopt;
  const std::string& unit = amount->after;
  if (unit.size() > kMostUnitBytes || unit.find(' ') != std::string::npos) return std::nullopt;
  if (!column.unit.empty() && !unit.empty() && unit != fold(column.unit)) return std::nullopt;
  // The unit with its capitals, which folding has lost.
  const std::string line = one_line(printed);
  const std::size_t at = line.find_last_of("0123456789");
  const std::string as_printed = unit.empty() ? "" : one_line(line.substr(at + 1));
  return TypedValue{.text = amount->digits, .unit = as_printed};
}

std::optional<TypedValue> money_value(const Column& column, std::string_view printed,
                                      std::string_view language) {
  const auto amount = printed_amount(printed, language, /*is_money=*/true);
  if (!amount) return std::nullopt;
  const std::string before = currency_code(amount->before), after = currency_code(amount->after);
  // All that is printed besides the number must be one currency: "19 %" is no amount.
  if ((!amount->before.empty() && before.empty()) || (!amount->after.empty() && after.empty())) {
    return std::nullopt;
  }
  if (!before.empty() && !after.empty() && before != after) return std::nullopt;
  std::string code = before.empty() ? after : before;
  const bool is_shared_sign = code == "$" || code == "\u00a5";
  if (!column.unit.empty() && !code.empty() && code != column.unit && !is_shared_sign) {
    return std::nullopt;
  }
  return TypedValue{.text = amount->digits, .unit = std::move(code)};
}

std::optional<TypedValue> yes_no_value(std::string_view printed) {
  const std::string word = packed_words(printed);
  for (const std::string_view yes : {" yes ", " ja ", " oui ", " true ", " wahr "}) {
    if (word == yes) return TypedValue{.text = "yes"};
  }
  for (const std::string_view no : {" no ", " nein ", " non ", " false ", " falsch "}) {
    if (word == no) return TypedValue{.text = "no"};
  }
  return std::nullopt;
}

// Returns the choice that the text is, or the only one that it has as words.
std::optional<TypedValue> chosen_value(const Column& column, std::string_view printed) {
  const std::string words = packed_words(printed);
  const std::string* found = nullptr;
  for (const std::string& choice : column.choices) {
    const std::string wanted = packed_words(choice);
    if (words == wanted) return TypedValue{.text = choice};
    if (wanted == " " || words.find(wanted) == std::string::npos) continue;
    if (found != nullptr) return std::nullopt;
    found = &choice;
  }
  return found == nullptr ? std::nullopt : std::optional(TypedValue{.text = *found});
}

std::optional<TypedValue> text_value(std::string_view printed) {
  std::string text = one_line(printed);
  const bool says_something = packed_words(text) != " ";
  if (!says_something || text.size() > kMostTextBytes) return std::nullopt;
  return TypedValue{.text = std::move(text)};
}

}  // namespace

std::optional<TypedValue> typed_value(const Column& column, std::string_view printed,
                                      std::string_view language) {
  switch (column.type) {
    case ColumnType::text:
      return text_value(printed);
    case ColumnType::number:
      return number_value(column, printed, language);
    case ColumnType::money:
      return money_value(column, printed, language);
    case ColumnType::yes_no:
      return yes_no_value(printed);
    case ColumnType::one_of:
      return chosen_value(column, printed);
    case ColumnType::date:
      break;
  }
  const auto date = printed_date(printed, column.day_first);
  return date ? std::optional(TypedValue{.text = *date}) : std::nullopt;
}

Form form_of(const Column& column, std::string_view printed, std::string_view language) {
  const std::optional<TypedValue> value = typed_value(column, printed, language);
  if (!value) return Form::none;
  switch (column.type) {
    case ColumnType::money:
      return !value->unit.empty() || value->text.find('.') != std::string::npos ? Form::clear
                                                                                : Form::plain;
    case ColumnType::number:
      return column.unit.empty() || !value->unit.empty() ? Form::clear : Form::plain;
    case ColumnType::text:
      return has_no_digit(value->text) ? Form::plain : Form::clear;
    default:
      return Form::clear;
  }
}

}  // namespace fineprint::sheet
