// Removes instructions from questions, and finds the pages that they name.
#include "fineprint/text/question.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "fineprint/core/text.h"
#include "fineprint/core/unicode.h"
#include "fineprint/text/pattern.h"
#include "fineprint/text/terms.h"

namespace fineprint::text {
namespace {

// Clauses about the form of the answer.
const std::vector<Pattern>& instructions() {
  static const std::vector<Pattern> patterns = {
      // Requires a comma, "then" or "please" before the verb: "if you live in another state" is no
      // instruction.
      Pattern(
          R"(\bif\b[^.?!]*(?:,|\bthen|\bplease)\s+(?:(?:then|please|simply|just)\s+)*(?:state|say|explain|write|answer)\b[^.?!]*)"),
      Pattern(
          R"(\b(?:please )?write\b[^.?!]*\b(?:answer|format|list|string|integer|float)\b[^.?!]*)"),
      Pattern(R"(\b(?:please )?answer in\b[^.?!]*)"),
      Pattern(R"(\bround (?:your |the )?(?:answer|to)\b[^.?!]*)"),
      Pattern(R"(\bthe answer should be\b[^?!]*)"),
      Pattern(R"(\b(?:e\.g\.|for example),?\s*\[[^\]]*\]?)"),
      Pattern(
          R"(\b(?:in|as)(?: an?| the)? (?:(?:ascending|descending|alphabetical) order|(?:list|string|integer|float) format)\b)"),
  };
  return patterns;
}

std::string without_instructions(std::string_view question) {
  std::string core(question);
  for (const Pattern& pattern : instructions()) core = pattern.replaced(core, " ");
  return core;
}

// Writes "FY2022", "FY '22", "2Q" and "Q2 2022" as documents do.
std::string with_periods_spelt(const std::string& question) {
  static const Pattern long_year(R"(\b(?:FY|CY)\s?'?(\d{4})\b)");
  static const Pattern short_year(R"(\b(?:FY|CY)\s?'?(\d{2})\b)");
  static const std::array<Pattern, 4> quarters = {
      Pattern(R"(\b(?:Q1|1Q)(?=\b|\d{2}))"), Pattern(R"(\b(?:Q2|2Q)(?=\b|\d{2}))"),
      Pattern(R"(\b(?:Q3|3Q)(?=\b|\d{2}))"), Pattern(R"(\b(?:Q4|4Q)(?=\b|\d{2}))")};
  static constexpr std::array<const char*, 4> kSpelt = {"Q1 first quarter ", "Q2 second quarter ",
                                                        "Q3 third quarter ", "Q4 fourth quarter "};
  std::string spelt = short_year.replaced(long_year.replaced(question, "$1"), "20$1");
  for (std::size_t quarter = 0; quarter < quarters.size(); ++quarter) {
    spelt = quarters[quarter].replaced(spelt, kSpelt[quarter]);
  }
  return spelt;
}

std::size_t count_words(std::string_view text) {
  std::size_t count = 0;
  bool inside = false;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\t' || c == '\n';
    if (!blank && !inside) ++count;
    inside = !blank;
  }
  return count;
}

// Returns 5 for "5", "five" or "fifth"; nullopt for other words.
std::optional<int> number_of(const std::string& word) {
  static constexpr std::array<const char*, 20> kCardinals = {
      "one",     "two",     "three",     "four",     "five",     "six",      "seven",
      "eight",   "nine",    "ten",       "eleven",   "twelve",   "thirteen", "fourteen",
      "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"};
  static constexpr std::array<const char*, 10> kOrdinals = {"first", "second", "third",   "fourth",
                                                            "fifth", "sixth",  "seventh", "eighth",
                                                            "ninth", "tenth"};
  int value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error == std::errc() && end == word.data() + word.size()) return value;
  const auto cardinal = std::find(kCardinals.begin(), kCardinals.end(), word);
  if (cardinal != kCardinals.end()) return static_cast<int>(cardinal - kCardinals.begin()) + 1;
  const auto ordinal = std::find(kOrdinals.begin(), kOrdinals.end(), word);
  if (ordinal != kOrdinals.end()) return static_cast<int>(ordinal - kOrdinals.begin()) + 1;
  return std::nullopt;
}

// Longer ranges are not page ranges: "pages 2 to 1000" is likely a year or a typing error.
constexpr int kLongestRange = 30;

// How "page 5" continues to name more pages: "-6", "to page 8", ", 7 and 9". Years, decimals and
// percentages that follow are not pages.
constexpr const char* kLeadIn = R"(\b(?:page|slide)s?\s+(?:number\s+|no\.?\s*)?)";
constexpr const char* kJoint = R"((-|–|to|through|and|&|,)\s*(?:(?:page|slide)s?\s+)?)";
constexpr const char* kLaterPage = R"(((?!(?:19|20)\d\d\b)\d{1,5}\b(?![.,]\d|\s?%)))";

std::string later_pages() { return std::string(R"((?:\s*(?:,\s*)?)") + kJoint + kLaterPage + ")*"; }

// Adds a range if it is plausible.
void add_sound(const PageRange& range, std::vector<PageRange>* pages) {
  const bool is_sound =
      range.first >= 1 && range.last >= range.first && range.last - range.first <= kLongestRange;
  if (is_sound) pages->push_back(range);
}

// Adds page `first` and the pages that `tail` adds to it.
void add_run(int first, const std::string& tail, std::vector<PageRange>* pages) {
  static const Pattern later(std::string(kJoint) + kLaterPage);
  // A dash or "to" extends the open range; a comma or "and" closes it and opens a new one.
  PageRange open{first, first};
  for (const std::vector<std::string>& match : later.matches(tail)) {
    const int number = number_of(match[2]).value_or(0);
    if (match[1] == "and" || match[1] == "&" || match[1] == ",") {
      add_sound(open, pages);
      open.first = number;
    }
    open.last = number;
  }
  add_sound(open, pages);
}

void add_numbered(const std::string& question, std::vector<PageRange>* pages) {
  static const Pattern numbered(kLeadIn + std::string(R"(([a-z]+|\d{1,5}\b)()") + later_pages() +
                                ")");
  for (const std::vector<std::string>& match : numbered.matches(question)) {
    if (const std::optional<int> first = number_of(match[1])) add_run(*first, match[2], pages);
  }
}

// Adds pages such as "the third slide", "5th page", "cover page" and "last page".
void add_described(const std::string& question, std::vector<PageRange>* pages) {
  static const Pattern described(
      R"((?<![\w-])(?:([a-z]+)|(\d{1,3})(?:st|nd|rd|th))\s+(?:page|slide)\b)");
  for (const std::vector<std::string>& match : described.matches(question)) {
    const std::string& word = match[1];
    if (word == "last" || word == "final") {
      pages->push_back({kLastPage, kLastPage});
    } else if (word == "cover" || word == "title" || word == "front") {
      pages->push_back({1, 1});
    } else if (const std::optional<int> digits = number_of(match[2]); digits && *digits > 0) {
      pages->push_back({*digits, *digits});
      // Only ordinals: "two pages" names no page.
    } else if (word.size() > 2 && (word.ends_with("st") || word.ends_with("nd") ||
                                   word.ends_with("rd") || word.ends_with("th"))) {
      if (const std::optional<int> number = number_of(word)) pages->push_back({*number, *number});
    }
  }
}

}  // namespace

std::string question_core(std::string_view question) {
  const std::string core = without_instructions(question);
  return with_periods_spelt(count_words(core) >= 3 ? core : std::string(question));
}

std::vector<PageRange> named_pages(std::string_view question) {
  const std::string lower = lower_ascii(question);
  std::vector<PageRange> pages;
  add_numbered(lower, &pages);
  add_described(lower, &pages);
  return pages;
}

std::string without_named_pages(std::string_view question) {
  static const Pattern pattern(kLeadIn + std::string(R"(\d{1,5}\b)") + later_pages());
  return pattern.replaced(question, " ");
}

std::vector<std::string> counted_terms(std::string_view question) {
  // The counted noun ends where a verb or preposition continues the question.
  static const Pattern kCounted(
      R"((?x)\b (?: how \s+ many | numbers? \s+ of ) \s+
         ( (?: (?! (?: do | does | did | are | is | were | was | have | has | had | can | could | will | would |
             should | must | may | might | there | in | on | at | by | for | with | that | who | which | from | to |
             per | as | within | during | between | among | used | employed | reported | held | made | owned |
             worked | of | a | an | the ) \b ) [\p{L}\d'’-]+ \s* ){1,5} ))",
      Pattern::Case::sensitive);
  const auto found = kCounted.matches(fold(question));
  if (found.empty()) return {};
  return terms(found.front()[1]);
}

}  // namespace fineprint::text
