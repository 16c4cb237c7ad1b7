// Extracts the value that a question asks for from a snippet.
//
// The rules prefer no value to a wrong one: if a snippet leaves any doubt which value is meant, the
// whole snippet is quoted.
#include "pipelines/extractive/answer_value.h"

#include <algorithm>
#include <cctype>
#include <set>

#include "fineprint/core/text.h"
#include "fineprint/core/unicode.h"
#include "fineprint/text/language.h"
#include "fineprint/text/question.h"
#include "fineprint/text/terms.h"
#include "fineprint/text/units.h"

#include "pipelines/extractive/amounts.h"
#include "pipelines/extractive/cell_value.h"
#include "pipelines/extractive/demands.h"
#include "pipelines/extractive/local_value.h"
#include "pipelines/extractive/measure.h"
#include "pipelines/extractive/pair_value.h"
#include "pipelines/extractive/row_value.h"
#include "pipelines/extractive/said_value.h"
#include "pipelines/extractive/subject.h"

namespace fineprint::pipelines::extractive {
namespace {

using text::AnswerKind;
using text::Value;

constexpr std::size_t kNear = 4;      // words between a figure and what it counts
constexpr std::size_t kPhrase = 8;    // the same, if they are only adjectives and nouns
constexpr std::size_t kAdjacent = 2;  // words between a value and a word of the question
// The least share of the question's terms that a snippet with a value must hold. A name needs less,
// because the words next to it must be the question's; so does an address, because nothing else
// looks like one.
constexpr double kLeastCovered = 0.75, kLeastCoveredWithoutDoubt = 0.5;

// Returns the runs of digits with their separators: "1,234.5", "2022".
std::set<std::string> numbers_in(const std::string& text) {
  std::set<std::string> numbers;
  std::string number;
  for (const char c : text + " ") {
    const bool digit = std::isdigit(static_cast<unsigned char>(c)) != 0;
    if (digit || (!number.empty() && (c == '.' || c == ','))) {
      number += c;
      continue;
    }
    while (!number.empty() && !std::isdigit(static_cast<unsigned char>(number.back()))) {
      number.pop_back();
    }
    if (!number.empty()) numbers.insert(number);
    number.clear();
  }
  return numbers;
}

bool is_quantity(AnswerKind kind) {
  return kind == AnswerKind::number || kind == AnswerKind::money || kind == AnswerKind::count ||
         kind == AnswerKind::percent;
}

bool is_percentage(const Value& value) {
  return value.text.ends_with('%') || value.text.ends_with("cent");
}

// Returns the values of the kind whose numbers (or words, if there are no numbers) are not in the
// question. The number of a page that the question names does not count as known, because "how many
// ... on page 5" may well be answered "5".
std::vector<Value> new_values(const std::string& snippet, AnswerKind kind,
                              const std::string& question, const std::string& language = {}) {
  const std::set<std::string> known = numbers_in(text::without_named_pages(question));
  std::vector<Value> fresh;
  for (Value& value : text::find_values(snippet, kind, language)) {
    const std::set<std::string> own = numbers_in(value.text);
    const bool repeats = own.empty() ? question.find(value.text) != std::string::npos
                                     : std::ranges::includes(known, own);
    if (!repeats) fresh.push_back(std::move(value));
  }
  return fresh;
}

// Compares one snippet with a question.
class Fit {
 public:
  Fit(const Page& page, const Snippet& snippet, AnswerKind kind, const retrieve::Query& query)
      : page_(page),
        snippet_(snippet),
        // A sentence full of figures may be cut as a row; its full stop gives it away.
        is_row_(snippet.is_row && !snippet.text.ends_with('.')),
        kind_(kind),
        query_(query),
        demands_(demands(query.core)) {
    for (std::uint32_t i = 0; i < snippet.word_count; ++i) {
      terms_.push_back(text::terms(page.words[snippet.first_word + i].text));
    }
  }

  std::optional<std::string> value() const {
    if (kind_ == AnswerKind::yes_no) return yes_or_no();
    if (kind_ == AnswerKind::list || !is_look_up() || covered() < least_covered())
      return std::nullopt;
    std::vector<Value> values = new_values(snippet_.text, kind_, query_.core);
    if (is_quantity(kind_)) {
      std::erase_if(values, [&](const Value& one) { return !is_quantity_asked_for(one); });
    }
    if (values.empty()) return std::nullopt;
    // In a row the column decides which figure is meant; in a sentence the neighbouring words do.
    const Value* one = is_row_ && is_quantity(kind_) ? row_value(page_, snippet_, values, query_)
                                                     : the_one(values);
    if (one == nullptr || !fits_alone(*one)) return std::nullopt;
    return with_units(*one);
  }

 private:
  bool is_asked(const std::string& term) const {
    return std::ranges::find(query_.asked_terms, term) != query_.asked_terms.end();
  }

  double least_covered() const {
    return kind_ == AnswerKind::name || text::is_address(kind_) ? kLeastCoveredWithoutDoubt
                                                                : kLeastCovered;
  }

  // Whether a single value of a single snippet can be the answer. Arithmetic, comparisons, lists
  // and reasons need more than one.
  bool is_look_up() const {
    if (demands_.need_more_than_one() || demands_.looking) return false;
    if (kind_ == AnswerKind::money) return asks_amount(query_.core);
    return kind_ != AnswerKind::percent || asks_share(query_.core);
  }

  // Returns the share of the question's terms that the snippet and its headings hold. Names that
  // are not there, and "the company", do not count against it, because they may be elsewhere on the
  // page: "It employs 410 people".
  double covered() const {
    const std::vector<std::string> names = subjects_of(query_).names;
    const std::vector<std::string> held = text::terms(snippet_.text + " " + snippet_.context);
    const auto is_in = [](const std::vector<std::string>& terms, const std::string& term) {
      return std::ranges::find(terms, term) != terms.end();
    };
    double wanted = 0, found = 0;
    for (const std::string& term : query_.asked_terms) {
      const bool is_elsewhere = is_in(names, term) || means_issuer(query_, term);
      if (is_elsewhere && !is_in(held, term)) continue;
      ++wanted;
      found += is_in(held, term) ? 1 : 0;
    }
    return wanted == 0 ? 0 : found / wanted;
  }

  // Returns the words of the snippet that the value covers, as [first, end).
  std::pair<std::size_t, std::size_t> words_of(const Value& value) const {
    return {word_at(page_, snippet_, value.span.begin),
            word_at(page_, snippet_, value.span.end - 1) + std::size_t{1}};
  }

  bool is_quantity_asked_for(const Value& value) const {
    if (is_percentage(value) != (kind_ == AnswerKind::percent) && kind_ != AnswerKind::number) {
      return false;
    }
    return is_amount(page_, snippet_, value) && (demands_.change || !is_change(snippet_, value)) &&
           (kind_ != AnswerKind::count || counts_what_is_asked(value));
  }

  // Accepts "5,300 full-time employees" and "employees: 5,300". In a row, the label or a heading
  // must name the counted things.
  bool counts_what_is_asked(const Value& value) const {
    const std::vector<std::string> counted = text::counted_terms(query_.core);
    if (counted.empty()) return false;
    const std::string& head = counted.back();
    const auto holds = [&](std::size_t word) {
      return std::ranges::find(terms_[word], head) != terms_[word].end();
    };
    if (is_row_) {
      const std::vector<std::string> held = text::terms(snippet_.text + " " + snippet_.context);
      return std::ranges::find(held, head) != held.end();
    }
    const auto [first, end] = words_of(value);
    bool in_phrase = true;  // "52 significant manufacturing and support facilities"
    for (std::size_t i = end; i < terms_.size(); ++i) {
      if (i >= end + (in_phrase ? kPhrase : kNear)) break;
      if (holds(i)) return true;
      const std::string& word = page_.words[snippet_.first_word + i].text;
      if (!numbers_in(word).empty() || ends_clause(word)) break;
      // Past another number or the end of a clause, a noun belongs to something else.
      in_phrase = in_phrase && !ends_phrase(word);
    }
    std::size_t before = first;
    while (before > 0 && first - before < kNear && links(before - 1)) --before;
    return before > 0 && holds(before - 1);
  }

  // Whether the word may connect a noun with its number: "employees: 5,300", "the number of
  // employees was about 5,300".
  bool links(std::size_t word) const {
    static const std::set<std::string> kLinks = {"was", "were",  "is",    "are",    "of",
                                                 "to",  "about", "over",  "nearly", "approximately",
                                                 ":",   "=",     "around"};
    return kLinks.contains(fold(page_.words[snippet_.first_word + word].text));
  }

  // Whether a noun after this word is no longer the one that a number before it counts.
  static bool ends_phrase(const std::string& word) {
    static const std::set<std::string> kEnds = {
        "of",   "in",  "at",    "on",  "for",  "to",   "from",  "with", "by",    "that", "which",
        "who",  "is",  "are",   "was", "were", "has",  "have",  "had",  "the",   "a",    "an",
        "this", "its", "their", "our", "into", "than", "where", "when", "while", "per"};
    return kEnds.contains(fold(word));
  }

  static bool ends_clause(const std::string& word) {
    return std::string_view(",.;:)").find(word.back()) != std::string_view::npos;
  }

  // Returns the only value, or the only one next to words of the question. Of names, returns the
  // only one that the question's words are said about. nullptr if no value or several qualify.
  const Value* the_one(const std::vector<Value>& values) const {
    const bool are_names = kind_ == AnswerKind::name;
    if (values.size() == 1 && !are_names) return &values.front();
    if (const Value* of_year = value_of_asked_year(values)) return of_year;
    const Value* found = nullptr;
    for (const Value& value : values) {
      if (are_names ? !is_said_of(value) : !is_next_to_question(value)) continue;
      if (found != nullptr) return nullptr;
      found = &value;
    }
    return found;
  }

  // Returns the value that goes with the only year of the question, if values and years take turns:
  // "18,220 cars in 2023 and 19,407 in 2024". nullptr otherwise.
  const Value* value_of_asked_year(const std::vector<Value>& values) const {
    if (!is_quantity(kind_)) return nullptr;
    struct Place {
      std::size_t word;
      const Value* value;  // nullptr: a year
      std::string year;
    };
    std::vector<Place> places;
    places.reserve(2 * values.size());
    for (const Value& value : values) places.push_back({words_of(value).first, &value, ""});
    for (std::size_t i = 0; i < terms_.size(); ++i) {
      for (const std::string& term : terms_[i]) {
        if (is_bare_year(term)) places.push_back({i, nullptr, term});
      }
    }
    std::ranges::sort(places, {}, &Place::word);
    const std::size_t half = values.size();
    if (half < 2 || places.size() != 2 * half) return nullptr;
    const Value* found = nullptr;
    for (std::size_t i = 0; i < places.size(); i += 2) {
      const Place &first = places[i], &second = places[i + 1];
      const bool year_first = first.value == nullptr;
      if (year_first == (second.value == nullptr)) return nullptr;
      if (year_first != (places.front().value == nullptr)) return nullptr;
      if (!is_asked(year_first ? first.year : second.year)) continue;
      if (found != nullptr) return nullptr;
      found = year_first ? second.value : first.value;
    }
    return found;
  }

  bool is_asked_word(std::size_t word) const {
    return std::ranges::any_of(terms_[word],
                               [&](const std::string& term) { return is_asked(term); });
  }

  // Whether a word of the question is said about the name: "audited by Ann Lee", "Ann Lee chairs",
  // "the auditor, Ann Lee", "Ann Lee is its auditor".
  bool is_said_of(const Value& name) const {
    const auto [first, end] = words_of(name);
    const auto text = [&](std::size_t word) {
      return fold(page_.words[snippet_.first_word + word].text);
    };
    if (first > 1 && text(first - 1) == "by" && is_asked_word(first - 2)) return true;
    if (first > 0 && is_asked_word(first - 1)) return true;
    std::size_t next = end;
    while (next < terms_.size() && next < end + 3 && terms_[next].empty()) ++next;  // "is its"
    return next < terms_.size() && is_asked_word(next);
  }

  bool is_next_to_question(const Value& value) const {
    const auto [first, end] = words_of(value);
    const std::size_t from = first - std::min(first, kAdjacent);
    const std::size_t until = std::min(terms_.size(), end + kAdjacent);
    for (std::size_t i = from; i < until; ++i) {
      if (i >= first && i < end) continue;
      if (is_asked_word(i)) return true;
    }
    return false;
  }

  // Checks what a value must have on its own: a name needs more than one word if a person is asked
  // for, an amount of money its currency or scale, and a measure its unit.
  bool fits_alone(const Value& value) const {
    if (kind_ == AnswerKind::name)
      return asks_who(query_.core) && value.text.find(' ') != std::string::npos;
    if (kind_ == AnswerKind::money) {
      return says_money(value) || (is_row_ && !units_of_row(page_, snippet_).scale.empty());
    }
    if (kind_ == AnswerKind::number)
      return measures_what_is_asked(query_.core, snippet_.text, value);
    return true;
  }

  static bool asks_who(const std::string& question) {
    const std::string folded = fold(question);
    return folded.starts_with("who ") || folded.find(" who ") != std::string::npos ||
           folded.starts_with("which firm ") || folded.starts_with("which company ");
  }

  static bool says_money(const Value& value) {
    // Any letter or sign beyond digits and separators, for example a currency sign, marks money.
    return std::ranges::any_of(value.text, [](unsigned char c) {
      return std::isdigit(c) == 0 && c != '.' && c != ',' && c != '(' && c != ')' && c != ' ';
    });
  }

  // Adds the scale word that follows a written number: "ten" becomes "ten million" in "ten million
  // people".
  std::string with_scale_word(const Value& value) const {
    static const std::set<std::string> kScales = {"hundred", "thousand", "million", "billion"};
    const std::size_t next = words_of(value).second;
    if (!numbers_in(value.text).empty() || next >= terms_.size()) return value.text;
    const std::string& word = page_.words[snippet_.first_word + next].text;
    return kScales.contains(fold(word)) ? value.text + " " + word : value.text;
  }

  std::string with_units(const Value& value) const {
    if (kind_ == AnswerKind::count) return with_scale_word(value);
    if (!is_row_ || kind_ != AnswerKind::money || is_percentage(value)) return value.text;
    const text::Units units = units_of_row(page_, snippet_);
    std::string text = value.text;
    std::erase(text, ' ');
    const bool is_bare =
        std::isdigit(static_cast<unsigned char>(text.front())) != 0 || text.front() == '(';
    if (is_bare) text = units.currency + text;
    return units.scale.empty() || says_scale(value) ? text : text + " " + units.scale;
  }

  static bool says_scale(const Value& value) {
    const std::size_t digit = value.text.find_first_of("0123456789");
    return digit != std::string::npos &&
           std::ranges::any_of(value.text.substr(digit),
                               [](unsigned char c) { return std::isalpha(c) != 0; });
  }

  // Returns "Yes", or "No" if the snippet denies something. Answers only if the snippet holds every
  // term of the question and the question itself denies nothing, because a double negation would
  // turn the answer around.
  std::optional<std::string> yes_or_no() const {
    if (denies(query_.core)) return std::nullopt;
    // An item that is asked for may well be "brown bread", a word of looks.
    if (std::optional<std::string> said = item_yes_no(page_, snippet_, query_)) return said;
    if (demands_.comparison || demands_.arithmetic || demands_.looking) return std::nullopt;
    if (std::optional<std::string> said = pair_yes_no(page_, snippet_, query_)) return said;
    if (covered() < 1 || offers_both()) return std::nullopt;
    if (has_boxes(page_, snippet_)) return ticked_answer(page_, snippet_);
    return denies(snippet_.text) ? "No" : "Yes";
  }

  // Whether the snippet has both answers side by side, of which someone chose one ("Yes No").
  bool offers_both() const {
    if (has_boxes(page_, snippet_)) return false;
    bool yes = false, no = false;
    for (std::uint32_t i = 0; i < snippet_.word_count; ++i) {
      const std::string word = fold(page_.words[snippet_.first_word + i].text);
      yes = yes || word == "yes";
      no = no || word == "no";
    }
    return yes && no;
  }

  static bool denies(const std::string& snippet) {
    for (const Value& value : text::find_values(snippet, AnswerKind::yes_no)) {
      const std::string said = fold(value.text);
      if (said != "yes" && said != "true") return true;
    }
    return false;
  }

  const Page& page_;
  const Snippet& snippet_;
  const bool is_row_;  // a real row, not a sentence full of figures
  const AnswerKind kind_;
  const retrieve::Query& query_;
  const Demands demands_;
  std::vector<std::vector<std::string>> terms_;  // terms of each word of the snippet
};

}  // namespace

double kind_fit(const std::string& snippet, AnswerKind kind, const std::string& question,
                const std::string& language) {
  if (kind == AnswerKind::text || kind == AnswerKind::yes_no || kind == AnswerKind::list) {
    return 0.5;
  }
  const std::vector<Value> values = new_values(snippet, kind, question, language);
  // The tests of amounts read English labels, so in other languages any value counts.
  if (!text::is_english(language)) return values.empty() ? 0.0 : 1.0;
  return std::ranges::any_of(
             values, [&](const Value& value) { return looks_like_amount(snippet, value, kind); })
             ? 1.0
             : 0.0;
}

std::optional<std::string> answer_value(const Page& page, const Snippet& snippet, AnswerKind kind,
                                        const retrieve::Query& query) {
  if (snippet.word_count == 0) return std::nullopt;
  if (std::optional<std::string> value = pair_value(page, snippet, kind, query)) return value;
  if (std::optional<std::string> value = cell_value(page, snippet, kind, query)) return value;
  if (std::optional<std::string> value = said_value(page, snippet, kind, query)) return value;
  if (kind == AnswerKind::text) return std::nullopt;
  if (!text::is_english(query.language) || !text::is_english(page.language)) {
    return local_value(page, snippet, kind, query);
  }
  return Fit(page, snippet, kind, query).value();
}

}  // namespace fineprint::pipelines::extractive
