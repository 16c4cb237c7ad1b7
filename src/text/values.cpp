// Finds the values of a kind in a passage.
#include <algorithm>
#include <array>

#include "fineprint/core/superscripts.h"
#include "fineprint/core/unicode.h"
#include "fineprint/text/answer_kind.h"
#include "fineprint/text/language.h"
#include "fineprint/text/pattern.h"
#include "fineprint/text/terms.h"

#include "text/address_patterns.h"
#include "text/local_values.h"
#include "text/stop_words.h"
#include "text/value_patterns.h"

namespace fineprint::text {
namespace {

// Exponents belong to the value: "10⁶", "52 km²". After other numbers they are marks of notes.
Value make_value(std::string_view passage, AnswerKind kind, Span span, double number = 0) {
  const std::string_view before = passage.substr(0, span.end);
  const bool takes_exponent = before.ends_with("10") || before.ends_with('m');
  for (std::size_t at = span.end; takes_exponent && at < passage.size();) {
    if (plain_of_superscript(next_code_point(passage, &at)) == 0) break;
    span.end = static_cast<std::uint32_t>(at);
  }
  return {kind, span, std::string(passage.substr(span.begin, span.end - span.begin)), number};
}

bool overlaps(const Span& a, const std::vector<Span>& others) {
  return std::any_of(others.begin(), others.end(),
                     [&](const Span& b) { return a.begin < b.end && b.begin < a.end; });
}

std::vector<Value> values_of(std::string_view passage, AnswerKind kind,
                             const std::vector<Quantity>& quantities) {
  std::vector<Value> out;
  for (const Quantity& item : quantities) {
    out.push_back(make_value(passage, kind, item.span, item.number));
  }
  return out;
}

// Returns the numbers that are not part of a date; all numbers if there are no others. A number
// with a currency is an amount even if it looks like a year.
std::vector<Quantity> undated(std::string_view passage) {
  const std::vector<Quantity> all = find_quantities(passage);
  const std::vector<Span> dates = find_dates(passage);
  std::vector<Quantity> out;
  for (const Quantity& item : all) {
    if (!overlaps(item.span, dates) || item.has_currency) out.push_back(item);
  }
  return out.empty() ? all : out;
}

std::vector<Value> money_values(std::string_view passage) {
  const std::vector<Quantity> numbers = undated(passage);
  std::vector<Quantity> amounts;
  for (const Quantity& item : numbers) {
    if (!item.is_percent && (item.has_currency || item.looks_like_amount)) amounts.push_back(item);
  }
  // A table often gives amounts as plain numbers, with the currency in its title.
  return values_of(passage, AnswerKind::money, amounts.empty() ? numbers : amounts);
}

std::vector<Value> percent_values(std::string_view passage) {
  std::vector<Quantity> found;
  for (const Quantity& item : find_quantities(passage)) {
    if (item.is_percent) found.push_back(item);
  }
  return values_of(passage, AnswerKind::percent, found);
}

std::vector<Value> count_values(std::string_view passage) {
  std::vector<Quantity> found = find_number_words(passage);
  // With number words present, bare years are no counts.
  const bool has_words = !found.empty();
  const std::vector<Span> dates = find_dates(passage);
  for (const Quantity& item : undated(passage)) {
    if (!has_words || !overlaps(item.span, dates)) found.push_back(item);
  }
  // Numbers and number words were found separately; values are in the order of the passage.
  std::sort(found.begin(), found.end(),
            [](const Quantity& a, const Quantity& b) { return a.span.begin < b.span.begin; });
  return values_of(passage, AnswerKind::count, found);
}

std::vector<Value> values_at(std::string_view passage, AnswerKind kind,
                             const std::vector<Span>& spans) {
  std::vector<Value> out;
  out.reserve(spans.size());
  for (const Span& span : spans) out.push_back(make_value(passage, kind, span));
  return out;
}

// Removes words from the start of a run of capitalised words that are capitalised only because a
// sentence begins there.
Span without_openers(std::string_view passage, Span span) {
  while (span.begin < span.end) {
    std::size_t end = span.begin;
    for (std::size_t next = end; next < span.end; end = next) {
      if (is_space(next_code_point(passage, &next))) break;
    }
    const std::string word = fold(passage.substr(span.begin, end - span.begin));
    // "US" and "IT" are stop words in lower case but names here.
    const bool is_acronym =
        end - span.begin > 1 && passage[span.begin + 1] >= 'A' && passage[span.begin + 1] <= 'Z';
    const bool is_opener = (is_stop_word(word) || is_question_word(word)) && !is_acronym;
    if (!is_opener && !is_calendar_word(word)) break;
    for (std::size_t next = end; next < span.end; end = next) {
      if (!is_space(next_code_point(passage, &next))) break;
    }
    span.begin = static_cast<std::uint32_t>(end);
  }
  return span;
}

std::vector<Value> name_values(std::string_view passage) {
  static const Pattern kNames(
      R"((?x)(?<! [\p{L}\d] )
         ( (?: \p{Lu} \. )+ | (?: Mr | Mrs | Ms | Dr | St | Jr | Sr | Inc | Corp | Co | Ltd | Prof ) \. |
           (?: \p{Ll}? | \d+ ) \p{Lu} [\p{L}\p{M}\d]* (?: ['’&-] (?! s \b ) [\p{L}\d]+ )* )
         (?: ,? \s+ (?: (?: of | the | & | de | la | van | von | der | den | du | for ) \s+ ){0,2} (?<! , \s ) (?1)
           | , \s+ (?: Inc | Ltd | Jr | Sr | Corp | LLC ) \b \.? )*)",
      Pattern::Case::sensitive);
  std::vector<Value> out;
  for (const Match& match : kNames.find_all(passage)) {
    const Span span = without_openers(passage, match.whole());
    if (span.begin < span.end) out.push_back(make_value(passage, AnswerKind::name, span));
  }
  return out;
}

std::vector<Value> yes_no_values(std::string_view passage) {
  static const Pattern kWords(
      R"((?x)\b (?: yes | no (?! \.? \s* \d ) | not | cannot | never | none | true | false
               | \w+ n['\x{2019}]t ) \b)",
      Pattern::Case::ignored);
  std::vector<Value> out;
  for (const Match& match : kWords.find_all(passage)) {
    out.push_back(make_value(passage, AnswerKind::yes_no, match.whole()));
  }
  return out;
}

// Returns items on lines of their own after a bullet or number; if there are none, the items of "A,
// B and C".
std::vector<Value> list_values(std::string_view passage) {
  static const Pattern kBullets(
      R"((?xm) ^ \h* (?: [•‣▪●○◦*\x{2013}-] | \(? (?: \d{1,2} | [a-z] ) [.)] ) \h+ ( [^\n]*\S ))",
      Pattern::Case::sensitive);
  static const Pattern kSeries(
      R"((?x)((?: [^\s,;:.]+ \h+ ){0,4} [^\s,;:.]+ ) (?: [,;] \s+ (?! and \b | or \b ) ( [^,;:.\n]+? ) )*
         (?: ,? \s+ (?: and | or | & ) \s+ ) ((?: [^\s,;:.]+ \h+ ){0,4} [^\s,;:.]+ ))",
      Pattern::Case::sensitive);
  static const Pattern kItem(
      R"((?x)(?: ^ | [,;] \s+ | \s (?: and | or | & ) \s+ ) (?: (?: and | or ) \s+ )?
                                ( [^,;]+? ) (?= [,;] | \s (?: and | or | & ) \s | $ ))",
      Pattern::Case::sensitive);
  static const Pattern kLead(
      R"((?x)^ .* \b (?: is | are | was | were | include s? | included | including | of | as | following ) \s+)",
      Pattern::Case::sensitive);
  std::vector<Value> out;
  for (const Match& match : kBullets.find_all(passage)) {
    out.push_back(make_value(passage, AnswerKind::list, match.groups[1]));
  }
  // Bullets are a surer sign of a list than commas.
  if (!out.empty()) return out;
  for (const Match& series : kSeries.find_all(passage)) {
    const std::uint32_t base = series.whole().begin;
    const std::string_view text = passage.substr(base, series.whole().end - base);
    for (const Match& item : kItem.find_all(text)) {
      Span span = item.groups[1];
      // The first item may contain the words that introduce the list: "the segments are A, B and
      // C".
      const auto lead = kLead.find_all(text.substr(span.begin, span.end - span.begin));
      if (!lead.empty()) span.begin += lead.front().whole().end;
      span.begin += base;
      span.end += base;
      if (span.begin < span.end) out.push_back(make_value(passage, AnswerKind::list, span));
    }
  }
  return out;
}

}  // namespace

bool is_calendar_word(std::string_view folded) {
  static constexpr std::array<std::string_view, 19> kWords = {
      "january",   "february",  "march",   "april",    "may",      "june",   "july",
      "august",    "september", "october", "november", "december", "monday", "tuesday",
      "wednesday", "thursday",  "friday",  "saturday", "sunday"};
  return std::find(kWords.begin(), kWords.end(), folded) != kWords.end();
}

std::vector<Value> find_values(std::string_view passage, AnswerKind kind,
                               std::string_view language) {
  // The patterns below are English; other languages have tables of their own.
  if (!is_english(language)) return find_local_values(passage, kind, language);
  switch (kind) {
    case AnswerKind::text:
      return {};
    case AnswerKind::number:
      return values_of(passage, kind, undated(passage));
    case AnswerKind::money:
      return money_values(passage);
    case AnswerKind::percent:
      return percent_values(passage);
    case AnswerKind::date:
      return values_at(passage, kind, find_dates(passage));
    case AnswerKind::name:
      return name_values(passage);
    case AnswerKind::yes_no:
      return yes_no_values(passage);
    case AnswerKind::list:
      return list_values(passage);
    case AnswerKind::count:
      return count_values(passage);
    case AnswerKind::phone:
      return values_at(passage, kind, find_phone_numbers(passage));
    case AnswerKind::email:
      return values_at(passage, kind, find_emails(passage));
    case AnswerKind::website:
      return values_at(passage, kind, find_websites(passage));
  }
  return {};
}

}  // namespace fineprint::text
