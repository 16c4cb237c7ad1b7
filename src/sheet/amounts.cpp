// Reads numbers as documents print them, with the separators of several languages.
#include <algorithm>
#include <array>
#include <cctype>
#include <utility>
#include <vector>

#include "fineprint/core/text.h"
#include "fineprint/core/unicode.h"
#include "fineprint/sheet/value.h"

namespace fineprint::sheet {
namespace {

bool is_ascii_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

// A run of digits with the separators inside it, as [begin, end) of a folded text.
struct DigitRun {
  std::size_t begin = 0, end = 0;
};

// Blanks group only if three digits follow; otherwise they part two numbers.
bool joins_digits(std::string_view text, std::size_t at) {
  const char c = text[at];
  if (at + 1 >= text.size() || !is_ascii_digit(text[at + 1])) return false;
  if (c == '.' || c == ',' || c == '\'') return true;
  const auto is_digit_at = [&](std::size_t i) {
    return i < text.size() && is_ascii_digit(text[i]);
  };
  return c == ' ' && is_digit_at(at + 2) && is_digit_at(at + 3) && !is_digit_at(at + 4);
}

std::vector<DigitRun> digit_runs(std::string_view text) {
  std::vector<DigitRun> runs;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (!is_ascii_digit(text[at])) continue;
    DigitRun run{.begin = at, .end = at + 1};
    while (run.end < text.size() &&
           (is_ascii_digit(text[run.end]) || joins_digits(text, run.end))) {
      ++run.end;
    }
    runs.push_back(run);
    at = run.end;
  }
  return runs;
}

// Returns the language's sign before decimals; 0 if it is unknown.
char decimal_sign(std::string_view language) {
  static constexpr std::array<std::string_view, 12> kCommas = {"de", "fr", "es", "it", "nl", "pt",
                                                               "pl", "da", "sv", "nb", "fi", "cs"};
  if (language == "en") return '.';
  return std::ranges::find(kCommas, language) != kCommas.end() ? ',' : '\0';
}

// Whether every group after a separator has three digits, and the first one to three.
bool are_thousands(std::string_view whole) {
  std::size_t digits = 0;
  bool is_first = true;
  for (const char c : whole) {
    if (is_ascii_digit(c)) {
      ++digits;
      continue;
    }
    if (is_first ? digits < 1 || digits > 3 : digits != 3) return false;
    is_first = false;
    digits = 0;
  }
  return is_first || digits == 3;
}

// Returns the place of the sign before the decimals, npos if there are none, or nullopt if that is
// unclear.
std::optional<std::size_t> decimals_at(std::string_view run, std::string_view language,
                                       bool is_money) {
  const std::size_t last = run.find_last_of(".,");
  if (last == std::string_view::npos) return last;
  const char sign = run[last];
  const bool is_only = std::ranges::count(run, sign) == 1;
  const bool has_other = run.find_first_not_of("0123456789") < last;
  const std::size_t after = run.size() - last - 1;
  if (!is_only) return std::string_view::npos;  // 1.234.567
  if (has_other || after != 3) return last;     // 1,234.56 and 12.5
  if (is_money || run[0] == '0') return run[0] == '0' ? last : std::string_view::npos;
  const char decimal = decimal_sign(language);
  if (decimal == '\0') return std::nullopt;  // 1.234 in an unknown language
  return sign == decimal ? last : std::string_view::npos;
}

// Returns the digits with a point, or nullopt if the separators are not those of one number.
std::optional<std::string> plain_digits(std::string_view run, std::string_view language,
                                        bool is_money) {
  const std::optional<std::size_t> decimals = decimals_at(run, language, is_money);
  if (!decimals) return std::nullopt;
  const std::string_view whole = run.substr(0, *decimals);
  // Two kinds of separators among the thousands are those of several numbers.
  std::string separators;
  for (const char c : whole) {
    if (!is_ascii_digit(c) && separators.find(c) == std::string::npos) separators += c;
  }
  if (separators.size() > 1 || !are_thousands(whole)) return std::nullopt;
  std::string digits;
  for (const char c : whole) {
    if (is_ascii_digit(c)) digits += c;
  }
  const std::size_t first = std::min(digits.find_first_not_of('0'), digits.size() - 1);
  digits.erase(0, first);
  if (*decimals != std::string_view::npos) {
    digits += '.';
    digits += run.substr(*decimals + 1);
  }
  return digits;
}

// Removes a sign, or brackets around everything, and returns whether they were there.
bool take_sign(std::string* before, std::string* after) {
  bool negative = false;
  if (before->starts_with('(') && after->ends_with(')')) {
    before->erase(0, 1);
    after->pop_back();
    negative = true;
  }
  const auto take = [&](std::string* text, bool is_end) {
    const bool has = is_end ? text->ends_with('-') : text->starts_with('-');
    if (has) text->erase(is_end ? text->size() - 1 : 0, 1);
    negative = negative || has;
  };
  // "50,-" writes a dash for no cents.
  for (const std::string_view dash : {",--", ",-", ".--", ".-"}) {
    if (after->starts_with(dash)) after->erase(0, dash.size());
  }
  take(before, /*is_end=*/true);
  if (before->starts_with('-')) take(before, /*is_end=*/false);
  if (*after == "-") take(after, /*is_end=*/false);
  *before = std::string(trim(*before));
  *after = std::string(trim(*after));
  return negative;
}

}  // namespace

std::optional<PrintedAmount> printed_amount(std::string_view text, std::string_view language,
                                            bool is_money) {
  const std::string folded = fold(one_line(text));
  const std::vector<DigitRun> runs = digit_runs(folded);
  if (runs.size() != 1) return std::nullopt;
  const auto [begin, end] = runs.front();
  // A letter next to the digits makes them part of a name, except for a unit after them: "12kg".
  const bool is_in_word = begin > 0 && std::isalpha(static_cast<unsigned char>(folded[begin - 1]));
  if (is_in_word && !is_money) return std::nullopt;
  std::optional<std::string> digits =
      plain_digits(std::string_view(folded).substr(begin, end - begin), language, is_money);
  if (!digits) return std::nullopt;
  PrintedAmount amount{.digits = std::move(*digits),
                       .before = std::string(trim(folded.substr(0, begin))),
                       .after = std::string(trim(folded.substr(end)))};
  amount.has_decimals =
      amount.digits.find('.') != std::string::npos || amount.after.starts_with(",-");
  if (take_sign(&amount.before, &amount.after)) amount.digits.insert(0, 1, '-');
  return amount;
}

std::string currency_code(std::string_view printed) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 25> kCodes = {
      {{"\u20ac", "EUR"}, {"eur", "EUR"},       {"euro", "EUR"}, {"euros", "EUR"}, {"us$", "USD"},
       {"usd", "USD"},    {"\u00a3", "GBP"},    {"gbp", "GBP"},  {"chf", "CHF"},   {"sfr", "CHF"},
       {"sfr.", "CHF"},   {"fr.", "CHF"},       {"jpy", "JPY"},  {"cny", "CNY"},   {"rmb", "CNY"},
       {"$", "$"},        {"\u00a5", "\u00a5"}, {"cad", "CAD"},  {"aud", "AUD"},   {"sek", "SEK"},
       {"nok", "NOK"},    {"dkk", "DKK"},       {"pln", "PLN"},  {"czk", "CZK"},   {"inr", "INR"}}};
  const std::string folded = fold(one_line(printed));
  const auto found =
      std::ranges::find(kCodes, folded, &std::pair<std::string_view, std::string_view>::first);
  return found == kCodes.end() ? "" : std::string(found->second);
}

}  // namespace fineprint::sheet
