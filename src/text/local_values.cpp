// Builds regular expressions for the numbers and dates of each language.
#include "text/local_values.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include <unicode/dtfmtsym.h>
#include <unicode/uchar.h>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/unicode.h"
#include "fineprint/text/pattern.h"

#include "text/language_facts.h"

namespace fineprint::text {
namespace {

// Words that multiply a number. A word comes before its own prefixes, because the first match wins.
struct LocalScale {
  std::string_view expression;
  double factor;
};
constexpr LocalScale kLocalScales[] = {
    {"billion(?:en|es)", 1e12},  // 10^12, because the plural shows that the word is not English
    {"bill(?:ones|ón)|biliões", 1e12},
    {"mil(?:es)? +(?:de +)?millones|mil +milhões|bilhões", 1e9},
    {"万亿", 1e12},
    {"亿|億", 1e8},
    {"百万", 1e6},
    {"万|萬", 1e4},
    {"milliarden?|milliards?|miliard[io]|miljard|mrd\\.?|mld\\.?|md(?:s)?\\b|مليارات|مليار", 1e9},
    {"million(?:en|s)?|mill[oó]n(?:es)?|milion[ei]|milhões|milhão|miljoen|mio\\.?|mln\\.?|مليون|"
     "ملايين",
     1e6},
    {"tausend|tsd\\.?|mille|mil|duizend|آلاف|ألف", 1e3},
};
constexpr std::string_view kCurrencySigns = "[$€£¥₹₩]|US\\$|EUR|USD|CHF|GBP|JPY|CNY|RMB";
constexpr std::string_view kCurrencyWords =
    "euros?|eur\\b|€|[$£¥]|usd\\b|chf\\b|franken|francs?|dollars?|d[oó]lares|pesos?|dollari|reais|"
    "gulden|元|圆|人民币|美元|港元|欧元|日元|円|ريال(?:ات)?|دينارا?ً?|دنانير|درهم(?:ا)?|جنيه(?:ا)?|"
    "دولار(?:ا)?|يورو";
constexpr std::string_view kPercentWords =
    "%|٪|prozent(?:punkten?)?|pour\\s*cent|pour-cent|por\\s*ciento|per\\s*cento|por\\s*cento|"
    "procent|в\\s*процентах|في المئة|بالمئة|بالمائة";
// Words that Chinese puts between a number and what it counts, and units that are written like
// them.
constexpr std::string_view kCounters = "人次|名|人|个|艘|家|台|辆|天|年|岁|次|件|间|座|项|吨|位|倍";

// Returns the expression for a number in groups, as the language writes it.
std::string digits_expression(const LanguageFacts& facts) {
  // Blanks are group marks only where the language uses them; elsewhere they separate two numbers.
  const std::string group = !facts.decimal_comma ? "[,\\x{66C}]"
                            : facts.blank_groups ? "[.'’\\x{A0}\\x{202F} ]"
                                                 : "[.'’\\x{A0}\\x{202F}]";
  const std::string decimal = facts.decimal_comma ? "," : "[.\\x{66B}]";
  return "(?:\\d{1,3}(?:" + group + "\\d{3})+|\\d+)(?:" + decimal + "\\d+)?";
}

// Groups of the number expression: 1 sign, 2 currency before, 3 digits, 3 + i the i-th scale (i
// from 1), then percent, then currency after.
constexpr std::size_t kSignGroup = 1, kCurrencyBeforeGroup = 2, kDigitsGroup = 3,
                      kFirstScaleGroup = 4;
constexpr std::size_t kPercentGroup = kFirstScaleGroup + std::size(kLocalScales);
constexpr std::size_t kCurrencyGroup = kPercentGroup + 1;

std::string local_number_expression(const LanguageFacts& facts) {
  std::string scales;
  for (const LocalScale& scale : kLocalScales) {
    scales +=
        (scales.empty() ? "(?:" : "|") + std::string("(") + std::string(scale.expression) + ")";
  }
  // In scripts without blanks a word may touch the number, so only Latin letters must not follow.
  const std::string word_ends = "(?!\\p{Latin})";
  return "(?<![\\d.,\\x{66B}\\x{66C}]|\\p{Latin}|\\p{Latin}[-_])([-\\x{2212}])?\\s?((?:" +
         std::string(kCurrencySigns) + ")\\s*)?(" + digits_expression(facts) +
         ")(?![\\d]|[.,]\\d)(?:\\s*" + scales + "))?" + word_ends + "(?:\\s*(" +
         std::string(kPercentWords) + "))?(?:\\s*(?:d['’]|de\\s+|di\\s+)?(" +
         std::string(kCurrencyWords) + ")" + word_ends + ")?(?:" + std::string(kCounters) + ")?";
}

// Escapes the marks in a name for use in an expression.
std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const bool is_plain = (c & 0x80) != 0 || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                          (c >= '0' && c <= '9');
    if (!is_plain) out.push_back('\\');
    out.push_back(c);
  }
  return out;
}

// Returns the names of months, in full and abbreviated, longest first, so that an expression does
// not stop at an abbreviation.
std::vector<std::string> month_names(const std::string& language) {
  using Symbols = icu::DateFormatSymbols;
  UErrorCode status = U_ZERO_ERROR;
  const Symbols symbols(icu::Locale(language.c_str()), status);
  if (U_FAILURE(status)) {
    throw Error(ErrorCode::internal, fineprint::format("ICU has no months for \"{}\" ({}): "
                                                       "reinstall libicu",
                                                       language, u_errorName(status)));
  }
  std::vector<std::string> names;
  // Some languages inflect months inside dates, so both forms are needed.
  for (const auto context : {Symbols::FORMAT, Symbols::STANDALONE}) {
    for (const auto width : {Symbols::WIDE, Symbols::ABBREVIATED}) {
      std::int32_t count = 0;
      const icu::UnicodeString* months = symbols.getMonths(count, context, width);
      for (std::int32_t i = 0; i < count; ++i) months[i].toUTF8String(names.emplace_back());
    }
  }
  std::ranges::sort(names);
  names.erase(std::ranges::unique(names).begin(), names.end());
  std::ranges::stable_sort(names, std::greater{}, &std::string::size);
  return names;
}

std::string local_date_expression(const std::string& language) {
  std::string months;
  for (const std::string& name : month_names(language)) {
    months += (months.empty() ? "(?:" : "|") + escaped(name);
  }
  months += ")\\.?";
  // Digits of any script; years 1500 to 2099.
  const std::string year = "(?:[1١۱][5-9٥-٩۵-۹]|[2٢۲][0٠۰])\\d{2}(?!\\d)";
  const std::string day = "\\d{1,2}(?:\\.|er|º|ª)?";
  const std::string of = "(?:\\s+del?)?\\s+";
  return "(?<![\\d.,\\x{66B}\\x{66C}])(?:"
         "\\d{4}\\s*年(?:\\s*\\d{1,2}\\s*月(?:\\s*\\d{1,2}\\s*[日号號])?)?"
         "|\\d{1,2}\\s*月\\s*\\d{1,2}\\s*[日号號]"
         "|" +
         day + of + months + "(?:" + of + year + ")?|" + months + of + year +
         "|\\d{4}-\\d{2}-\\d{2}|\\d{1,2}[./-]\\d{1,2}[./-](?:\\d{4}|\\d{2})(?!\\d)"
         "|\\d{1,2}[:.]\\d{2}\\s+uhr|" +
         year + "(?!\\s*(?:%|٪|[.,]\\d)))";
}

// The compiled expressions of a language.
struct Expressions {
  Pattern number, date;
};

const Expressions& expressions_of(std::string_view language) {
  // Compiled once for each language, because compiling takes longer than most matches.
  static std::mutex mutex;
  static std::map<std::string, std::unique_ptr<Expressions>, std::less<>> made;
  const std::lock_guard lock(mutex);
  auto found = made.find(language);
  if (found == made.end()) {
    const std::string name(language);
    found = made.emplace(name, std::make_unique<Expressions>(
                                   Expressions{Pattern(local_number_expression(facts_of(language))),
                                               Pattern(local_date_expression(name))}))
                .first;
  }
  return *found->second;
}

// Returns the number that the digits represent. They may be of any script, with the language's
// marks.
double digits_number(std::string_view digits, const LanguageFacts& facts) {
  constexpr char32_t kArabicDecimal = 0x66B;
  const char32_t decimal = facts.decimal_comma ? U',' : U'.';
  std::string plain;
  for (std::size_t at = 0; at < digits.size();) {
    const char32_t c = next_code_point(digits, &at);
    if (is_digit(c)) {
      plain.push_back(static_cast<char>('0' + u_charDigitValue(static_cast<UChar32>(c))));
    } else if (c == decimal || c == kArabicDecimal) {
      plain.push_back('.');
    }
  }
  double number = 0;
  std::from_chars(plain.data(), plain.data() + plain.size(), number);
  return number;
}

struct LocalQuantity {
  Span span;
  double number = 0;
  bool has_currency = false, is_percent = false, has_scale = false;
};

LocalQuantity read_local_quantity(std::string_view passage, const Match& match,
                                  const LanguageFacts& facts) {
  LocalQuantity out;
  out.span = match.whole();
  while (out.span.begin < out.span.end && passage[out.span.begin] == ' ') ++out.span.begin;
  while (out.span.begin < out.span.end && passage[out.span.end - 1] == ' ') --out.span.end;
  const Span& digits = match.groups[kDigitsGroup];
  out.number = digits_number(passage.substr(digits.begin, digits.end - digits.begin), facts);
  for (std::size_t i = 0; i < std::size(kLocalScales); ++i) {
    if (!match.has(kFirstScaleGroup + i)) continue;
    out.number *= kLocalScales[i].factor;
    out.has_scale = true;
  }
  if (match.has(kSignGroup)) out.number = -out.number;
  out.is_percent = match.has(kPercentGroup);
  out.has_currency = match.has(kCurrencyBeforeGroup) || match.has(kCurrencyGroup);
  return out;
}

std::vector<Span> local_dates(std::string_view passage, std::string_view language) {
  std::vector<Span> out;
  for (const Match& match : expressions_of(language).date.find_all(passage)) {
    out.push_back(match.whole());
  }
  return out;
}

// Returns the numbers that are not part of a date; all numbers if there are no others.
std::vector<LocalQuantity> local_quantities(std::string_view passage, std::string_view language) {
  const std::vector<Span> dates = local_dates(passage, language);
  const auto is_dated = [&](const Span& span) {
    return std::ranges::any_of(
        dates, [&](const Span& date) { return span.begin < date.end && date.begin < span.end; });
  };
  std::vector<LocalQuantity> all, outside;
  for (const Match& match : expressions_of(language).number.find_all(passage)) {
    const LocalQuantity quantity = read_local_quantity(passage, match, facts_of(language));
    all.push_back(quantity);
    // A currency, scale or percent sign shows that it is no date, even if a date pattern covers it.
    const bool is_marked = quantity.has_currency || quantity.has_scale || quantity.is_percent;
    if (is_marked || !is_dated(quantity.span)) outside.push_back(quantity);
  }
  return outside.empty() ? all : outside;
}

bool fits_kind(const LocalQuantity& quantity, AnswerKind kind) {
  switch (kind) {
    case AnswerKind::percent:
      return quantity.is_percent;
    case AnswerKind::money:
      return quantity.has_currency;
    case AnswerKind::count:
      return !quantity.is_percent && !quantity.has_currency;
    case AnswerKind::number:
      return true;
    default:
      return false;
  }
}

}  // namespace

std::vector<Value> find_local_values(std::string_view passage, AnswerKind kind,
                                     std::string_view language) {
  std::vector<Value> out;
  const auto add = [&](const Span& span, double number) {
    out.push_back(
        {kind, span, std::string(passage.substr(span.begin, span.end - span.begin)), number});
  };
  if (kind == AnswerKind::date) {
    for (const Span& span : local_dates(passage, language)) add(span, 0);
    return out;
  }
  for (const LocalQuantity& quantity : local_quantities(passage, language)) {
    if (fits_kind(quantity, kind)) add(quantity.span, quantity.number);
  }
  return out;
}

}  // namespace fineprint::text
