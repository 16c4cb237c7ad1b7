// Finds the units that a line states.
#include "fineprint/text/units.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <string_view>
#include <utility>

#include "fineprint/core/text.h"
#include "fineprint/core/unicode.h"
#include "fineprint/text/pattern.h"
#include "fineprint/text/terms.h"

namespace fineprint::text {
namespace {

// Groups: 1 currency before, 2 scale, 3 currency after.
constexpr const char* kStated = R"((?x)
  (?: ( US\$ | \$ | € | £ | ¥ | USD | EUR | GBP | CHF | JPY | dollars? | euros? | pounds? ) \h* (?: are | is )? \h* )?
  (?: (?: presented | expressed | stated | amounts? | figures )? \h* \b in \h+ )?
  (?: ( (?<= \$ | € | £ ) (?: m | mn | mm | bn | k ) \b | ['’]? 000 s? (?! [\d,.] ) | thousands? | millions? | billions? ) \b )
  (?: \h+ of )?
  (?: \h+ (?: U\.?S\.? \h+ )? ( \$ | € | £ | USD | EUR | GBP | CHF | dollars? | euros? | pounds? ) )?
)";

// The expression matches "m", "mn", "bn", "000" and full words; the first letter is enough.
std::string scale_of(std::string_view written) {
  const std::string folded = fold(written);
  if (folded.starts_with("b")) return "billion";
  if (folded.starts_with("m")) return "million";
  return "thousand";
}

std::string sign_of(std::string_view written) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 11> kSigns = {{
      {"us$", "$"},
      {"$", "$"},
      {"usd", "$"},
      {"dollar", "$"},
      {"€", "€"},
      {"eur", "€"},
      {"£", "£"},
      {"gbp", "£"},
      {"pound", "£"},
      {"¥", "¥"},
      {"jpy", "¥"},
  }};
  const std::string folded = fold(written);
  if (folded == "chf") return "CHF";
  for (const auto& [name, sign] : kSigns) {
    if (folded.starts_with(name)) return std::string(sign);
  }
  return std::string(written);
}

// Returns up to three words that follow the statement at once: "cubic metres" in "in million cubic
// metres (unaudited)".
std::string words_after(std::string_view line, std::string_view statement) {
  static const Pattern kWords(R"(^ ((?:[\p{L}\d.²³-]+ ?){1,3}))");
  const std::size_t at = line.find(statement);
  if (at == std::string_view::npos) return {};
  // The statement may take the space after it.
  std::string rest = " " + std::string(trim(line.substr(at + statement.size())));
  const auto found = kWords.matches(rest);
  return found.empty() ? std::string() : std::string(trim(found.front()[1]));
}

}  // namespace

std::optional<Units> stated_units(std::string_view line) {
  static const Pattern kPattern(kStated, Pattern::Case::ignored);
  static const Pattern kAmount(R"(\d[\d,.]*\s*(?:thousand|million|billion)s?\b)");
  static const Pattern kIn(R"(\b(?:in|of)\b|[$€£(])");
  for (const auto& match : kPattern.matches(line)) {
    // "Millions" alone, without "in", a currency or an opening bracket, is ordinary text.
    const bool is_plain_plural = match[1].empty() && match[3].empty() && !kIn.occurs_in(match[0]) &&
                                 line.find("(" + match[0]) == std::string_view::npos;
    const bool counts_other_things = match[3].empty() && match[0].ends_with(" of");
    // A line with an amount ("5 million") states a value, not the unit of a table.
    if (is_plain_plural || counts_other_things || kAmount.occurs_in(line)) continue;
    Units units{scale_of(match[2]), sign_of(match[1].empty() ? match[3] : match[1])};
    if (units.currency.empty()) units.things = words_after(line, match[0]);
    return units;
  }
  return std::nullopt;
}

bool are_of_other_things(const Units& units, const std::vector<std::string>& counted) {
  static constexpr std::array<std::string_view, 5> kMoney = {"dollar", "euro", "pound", "franc",
                                                             "yen"};
  if (counted.empty()) return false;
  const std::string& noun = counted.back();
  if (!units.currency.empty()) return std::ranges::find(kMoney, noun) == kMoney.end();
  const std::vector<std::string> measured = terms(units.things);
  return !measured.empty() && std::ranges::none_of(counted, [&](const std::string& term) {
    return std::ranges::find(measured, term) != measured.end();
  });
}

bool is_named_head(std::string_view head_text) {
  constexpr std::ptrdiff_t kNameLetters = 3;  // ASCII
  return std::ranges::count_if(head_text, [](unsigned char c) { return std::isalpha(c) != 0; }) >=
         kNameLetters;
}

bool states_other_unit(std::string_view head_text) {
  static constexpr std::array<std::string_view, 40> kOtherUnits = {
      "number",  "no.",    "no",   "fte",   "ftes",  "headcount", "units", "pieces",
      "persons", "people", "days", "hours", "h",     "min",       "years", "months",
      "mm",      "cm",     "m",    "km",    "miles", "ft",        "m2",    "ha",
      "acres",   "g",      "kg",   "t",     "tons",  "tonnes",    "l",     "ml",
      "litres",  "m3",     "kw",   "kwh",   "mw",    "mwh",       "gwh",   "twh"};
  const std::string lower = fold(head_text);
  std::string_view folded = lower;
  if (folded.ends_with(')')) folded.remove_suffix(1);
  const std::size_t before = folded.find_last_of(" (");
  if (before == std::string_view::npos) return false;
  const std::string_view unit = folded.substr(before + 1);
  const std::string_view head = folded.substr(0, before + 1);
  const bool stands_apart = head.ends_with('(') || head.ends_with(" in ");
  return stands_apart && std::ranges::find(kOtherUnits, unit) != kOtherUnits.end();
}

}  // namespace fineprint::text
