// Regular expressions for numbers and dates in English.
#include "text/value_patterns.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <utility>

#include "fineprint/core/unicode.h"
#include "fineprint/text/pattern.h"

namespace fineprint::text {
namespace {

// Groups: 1 opening bracket, 2 sign, 3 currency, 4 inner sign or bracket, 5 digits, 6 closing
// bracket, 7 scale, 8 closing bracket, 9 percent, 10 closing bracket, 11 currency word.
constexpr const char* kQuantity = R"((?x)
  (?<! [\p{L}\d_] ) (?<! \d[.,] )
  ( \( )? \h*
  ( (?<! [\p{L}\d)] ) [-\x{2212}\x{2013}] )? \h?
  ( (?: US | C | A | HK | NZ | CA | AU )? [$] | [€£¥₹₩] |
    (?: USD | EUR | GBP | JPY | CNY | RMB | INR | CHF | CAD | AUD | Rs\.? ) (?= [\h\d] ) )? \h*
  ( [-\x{2212}\x{2013}] (?<! \d. ) | \( )? \h?
  ( (?: \d{1,3} (?: , \d{3} )+ | (?&blank_groups) | \d+ ) (?: \. \d+ )? | \. \d+ ) (?! \d | [.,]\d )
  ( \h* \) )?
  (?: \h* -? ( thousand s? | million s? | billion s? | trillion s? | mn | bn |
      (?<= \d ) [kKmMBb] m? ) (?! [\p{L}\d] ) )?
  ( \h* \) )?
  (?: \h* ( % | percent \b | per \h+ cent \b | percentage \h+ points? \b | pct \b ) )?
  ( \) )?
  (?: \h* ( (?: U\.?S\.? \h+ )? dollars? | euros? | cents? | USD | EUR | GBP ) \b )?
  (?: (?: kg | g | mg | km | cm | mm | ft | lbs? | oz | [kmgt]b | [kmg]?hz | [kmg]wh? | x | ms | s |
      min | hrs? | px | pt | dpi ) \b )?
  (?! \p{L} | - \p{L} | ['’]s \b )
  # Blanks between thousands, as in "12 700 tonnes". What is counted must follow, because columns of
  # figures look alike; and "Table 12 700 copies" is the number of a table.
  (?(DEFINE) (?<blank_groups>
    (?<! \d \h ) (?<! [Tt]able \h ) (?<! [Ff]igure \h ) (?<! [Pp]age \h ) (?<! [Ss]ection \h )
    (?<! [Cc]hapter \h ) (?<! [Nn]o\. \h ) \d{1,3} (?: \h \d{3} )+ (?= \h (?! and \b | or \b | to \b ) \p{Ll} ) ))
)";

constexpr const char* kMonth =
    R"(\b (?: jan(?:uary)? | feb(?:ruary)? | mar(?:ch)? | apr(?:il)? | may |
  june? | july? | aug(?:ust)? | sept?(?:ember)? | oct(?:ober)? | nov(?:ember)? | dec(?:ember)? )
  \b \.?)";
constexpr const char* kYear = R"((?: 1[5-9] | 20 ) \d{2})";
constexpr const char* kDay = R"(\d{1,2} (?: st | nd | rd | th )?)";

std::string date_expression() {
  const std::string month = kMonth, year = kYear, day = kDay;
  const std::string end = R"((?! \d | [.,]\d ))";
  const std::string gap = R"(\s*,?\s+)";
  return "(?x) (?<! [\\p{L}\\d_.,$€£¥] ) (?: "
         // December 31, 2022; 31 December 2022; 31st of December, 2022; December 2022
         + month + "\\s+" + day + gap + year + "|" + day + "\\s+ (?: of \\s+ )?" + month + gap +
         year + "|" + month + gap + "(?: of \\s+ )?" + year +
         // 2022-12-31; 12/31/2022; 31.12.2022
         "|" + year + R"([-/.] \d{1,2} [-/.] \d{1,2})" +
         R"(| \d{1,2} / \d{1,2} / (?: \d{4} | \d{2} ) | \d{1,2} \. \d{1,2} \. \d{4})" +
         // second quarter of 2022; Q2 2022; Q2 FY22; 2Q22
         R"(| (?: first | second | third | fourth ) \s+ (?: fiscal \s+ )? quarter (?: \s+ of )?
              (?: \s+ fiscal )? (?: \s+ year )? \s+)" +
         year + R"(| q[1-4] \s* (?: of \s+ )? (?: fy \s* )? '? (?: )" + year + R"(| \d{2} \b ))" +
         R"(| [1-4]q \s* '? (?: )" + year + R"(| \d{2} \b ))" +
         // fiscal year 2022; FY2022; FY22
         R"(| (?: fiscal | financial ) \s+ (?: year \s+ )?)" + year + R"(| fy \s* '? (?: )" + year +
         R"(| \d{2} \b ))" +
         // 2019-2020; the 1990s
         "|" + year + R"(\s* [-\x{2013}/] \s* (?: )" + year + R"(| \d{2} \b ) |)" + year + "s \\b" +
         // December 31; 31 December; 10:30 am; 2022
         "|" + month + "\\s+" + day + "\\b |" + day + "\\s+" + month + "\\b" +
         R"(| \d{1,2} : \d{2} (?: \s* [ap] \.? m \b \.? )? |)" + year +
         R"((?! \s* (?: % | percent | million | billion | thousand ) | \p{L} | -\p{L} | -\d{3} )))" +
         end;
}

// Longer names come before their prefixes, because the first that matches decides.
const std::pair<std::string_view, double> kScales[] = {
    {"thousand", 1e3}, {"million", 1e6}, {"billion", 1e9}, {"trillion", 1e12}, {"mn", 1e6},
    {"bn", 1e9},       {"mm", 1e6},      {"k", 1e3},       {"m", 1e6},         {"b", 1e9}};

std::string_view text_at(std::string_view passage, const Span& span) {
  return passage.substr(span.begin, span.end - span.begin);
}

double digits_value(std::string_view digits) {
  std::string plain;
  for (const char c : digits) {
    if ((c >= '0' && c <= '9') || c == '.') plain.push_back(c);
  }
  double value = 0;
  std::from_chars(plain.data(), plain.data() + plain.size(), value);
  return value;
}

double scale_value(std::string_view scale) {
  const std::string folded = fold(scale);
  for (const auto& [name, value] : kScales) {
    if (std::string_view(folded).starts_with(name)) return value;
  }
  return 1;
}

std::uint32_t skip_blanks(std::string_view passage, std::size_t at) {
  for (std::size_t next = at; next < passage.size(); at = next) {
    if (!is_space(next_code_point(passage, &next))) break;
  }
  return static_cast<std::uint32_t>(at);
}

// Reads one match. A footnote mark such as "(1)" is not a quantity: its span is empty.
Quantity read_quantity(std::string_view passage, const Match& match) {
  enum { kOpen = 1, kSign, kCurrency, kInner, kDigits, kClose, kScale, kClose2, kPercent };
  enum { kClose3 = kPercent + 1, kWord };
  Quantity out;
  out.span = match.whole();
  const std::string_view inner = text_at(passage, match.groups[kInner]);
  const bool opened = match.has(kOpen) || inner == "(";
  const bool closed = match.has(kClose) || match.has(kClose2) || match.has(kClose3);
  const std::string_view digits = text_at(passage, match.groups[kDigits]);
  const bool bracketed = opened && closed;
  out.has_currency = match.has(kCurrency) || match.has(kWord);
  out.is_percent = match.has(kPercent);
  const std::string_view scale = text_at(passage, match.groups[kScale]);
  // "5m" is a length unless it is money.
  const bool has_scale = !scale.empty() && (scale != "m" || out.has_currency);
  const bool is_grouped = digits.find_first_not_of("0123456789.") != std::string_view::npos;
  out.looks_like_amount = is_grouped || has_scale || bracketed;
  const bool is_plain = !is_grouped && !has_scale && !out.has_currency && !out.is_percent;
  if (bracketed && is_plain && digits.size() == 1) return Quantity{};
  // Leaves out a bracket that is never closed.
  if (match.has(kOpen) && !closed) ++out.span.begin;
  out.span.begin = skip_blanks(passage, out.span.begin);
  // Leaves out a bracket that closes one opened before the number.
  if (closed && !opened) {
    const std::size_t end = text_at(passage, out.span).find(')');
    if (end + 1 == out.span.end - out.span.begin) --out.span.end;
  }
  const bool negative = bracketed || match.has(kSign) || (!inner.empty() && inner != "(");
  out.number = digits_value(digits) * (has_scale ? scale_value(scale) : 1) * (negative ? -1 : 1);
  return out;
}

}  // namespace

std::vector<Quantity> find_quantities(std::string_view passage) {
  static const Pattern kPattern(kQuantity, Pattern::Case::sensitive);
  std::vector<Quantity> out;
  for (const Match& match : kPattern.find_all(passage)) {
    const Quantity quantity = read_quantity(passage, match);
    if (quantity.span.begin < quantity.span.end) out.push_back(quantity);
  }
  return out;
}

std::vector<Span> find_dates(std::string_view passage) {
  static const Pattern kPattern(date_expression(), Pattern::Case::ignored);
  std::vector<Span> out;
  for (const Match& match : kPattern.find_all(passage)) out.push_back(match.whole());
  return out;
}

std::vector<Quantity> find_number_words(std::string_view passage) {
  static constexpr std::array<std::string_view, 20> kSmall = {
      "zero",     "one",     "two",     "three",     "four",     "five",    "six",
      "seven",    "eight",   "nine",    "ten",       "eleven",   "twelve",  "thirteen",
      "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"};
  static constexpr std::array<std::string_view, 10> kTens = {
      "", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"};
  static const Pattern kPattern(
      R"((?x) \b (?: (twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety) (?: [-\s] (one|two|three|
         four|five|six|seven|eight|nine) )? | (zero|one|two|three|four|five|six|seven|eight|nine|ten|
         eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen) ) \b)",
      Pattern::Case::ignored);
  const auto index_in = [&](const auto& names, const Span& span) {
    const std::string word = fold(text_at(passage, span));
    const auto found = std::find(names.begin(), names.end(), word);
    return found == names.end() ? 0.0 : static_cast<double>(found - names.begin());
  };
  std::vector<Quantity> out;
  for (const Match& match : kPattern.find_all(passage)) {
    Quantity quantity;
    quantity.span = match.whole();
    if (match.has(1)) quantity.number = 10 * index_in(kTens, match.groups[1]);
    if (match.has(2)) quantity.number += index_in(kSmall, match.groups[2]);
    if (match.has(3)) quantity.number = index_in(kSmall, match.groups[3]);
    out.push_back(quantity);
  }
  return out;
}

}  // namespace fineprint::text
