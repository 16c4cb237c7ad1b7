// Compares the labels of a page with a question.
#include "pipelines/extractive/pair_value.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <string_view>
#include <vector>

#include "fineprint/core/superscripts.h"
#include "fineprint/core/unicode.h"
#include "fineprint/text/check_marks.h"
#include "fineprint/text/label_pairs.h"
#include "fineprint/text/numbers.h"
#include "fineprint/text/pattern.h"
#include "fineprint/text/terms.h"

#include "pipelines/extractive/demands.h"
#include "pipelines/extractive/label_terms.h"

namespace fineprint::pipelines::extractive {
namespace {

constexpr double kLeastFit = 0.5;            // share of a label's terms that must be asked
constexpr std::size_t kMostAmountWords = 6;  // a longer value holds more than an amount

// Returns how many words before the pair each of the terms was last, summed; far if it was not.
std::size_t distance_to(const Page& page, const text::WordRun& pair, const Terms& terms) {
  std::size_t distance = 0;
  for (const std::string& term : terms) {
    std::size_t nearest = page.words.size();
    for (std::uint32_t i = 0; i < page.words.size(); ++i) {
      if (!holds_term(text::terms(page.words[i].text, page.language), term)) continue;
      const bool before = i < pair.first;
      // A record begins with its subject, so words below the pair belong to the next.
      const std::size_t away = before ? pair.first - i : 2 * (i - pair.first) + 1;
      nearest = std::min(nearest, away);
    }
    distance += nearest;
  }
  return distance;
}

bool any_character(const std::string& text, bool (*is)(char32_t)) {
  for (std::size_t at = 0; at < text.size();) {
    if (is(next_code_point(text, &at))) return true;
  }
  return false;
}

// Returns whether the question has all words of a value, as in "the date of invoice 4711".
bool is_all_asked(const Page& page, const text::WordRun& value, const retrieve::Query& query) {
  const Terms terms = text::terms(text::joined_words(page, value), page.language);
  return !terms.empty() && std::ranges::all_of(terms, [&](const std::string& term) {
    return std::ranges::find(query.asked_terms, term) != query.asked_terms.end();
  });
}

// Returns whether no other pair of the page fits as well, or this one is the nearest of those to
// the other words of the question.
bool is_the_one(const Page& page, const Snippet& snippet, text::AnswerKind kind,
                const Terms& others, const retrieve::Query& query) {
  const std::string own = fold(text::joined_words(page, snippet.value));
  const std::string name = fold(text::joined_words(page, snippet.label));
  const double rank = rank_of(label_terms_of(page, snippet.label), query);
  std::vector<text::WordRun> rivals;
  for (const text::LabelPair& pair : text::label_pairs(page)) {
    const std::string value = text::joined_words(page, pair.value);
    if (pair.value == snippet.value || !looks_like_kind(value, pair.value.count(), kind)) continue;
    if (is_all_asked(page, pair.value, query)) continue;
    const double other = rank_of(label_terms_of(page, pair.label), query);
    if (other > rank) return false;
    if (other < rank || fold(value) == own) continue;
    // Another record has the same label; another label makes it unclear which one is meant.
    if (fold(text::joined_words(page, pair.label)) != name) return false;
    rivals.push_back(pair.all());
  }
  if (rivals.empty()) return true;
  const std::size_t distance =
      distance_to(page, {snippet.first_word, snippet.first_word + snippet.word_count}, others);
  return std::ranges::all_of(rivals, [&](const text::WordRun& rival) {
    return distance < distance_to(page, rival, others);
  });
}

bool needs_more(const Demands& demands) { return demands.need_more_than_one() || demands.looking; }

// Returns the words after each ticked box, or all words if there are no boxes.
std::string chosen_words(const Page& page, const text::WordRun& run) {
  std::string chosen, all;
  bool has_boxes = false, takes = false;
  for (std::uint32_t i = run.first; i < run.end; ++i) {
    const std::string& word = page.words[i].text;
    const text::CheckMark mark = text::check_mark(word);
    append_word(word, &all);
    if (mark != text::CheckMark::none) {
      has_boxes = true;
      takes = mark == text::CheckMark::ticked;
    } else if (takes) {
      append_word(word, &chosen);
    }
  }
  return has_boxes ? chosen : all;
}

bool has_box(const Page& page, const text::WordRun& run) {
  for (std::uint32_t i = run.first; i < run.end; ++i) {
    if (text::check_mark(page.words[i].text) != text::CheckMark::none) return true;
  }
  return false;
}

// Returns whether the value is a date and nothing else. A year alone may be an amount.
bool is_all_date(const std::string& value) {
  if (text::number_of_cell(value)) return false;
  const std::vector<text::Value> dates = text::find_values(value, text::AnswerKind::date);
  return !dates.empty() && dates.front().span.begin == 0 && dates.front().span.end == value.size();
}

// Returns whether the value is one word of letters and digits that is no date: "2025-0417",
// "K-9921".
bool is_code(const std::string& value) {
  if (is_all_date(value)) return false;  // "FY2024"
  static const text::Pattern kCode(R"(^(?:\d{4}-\d{4,}|\d{9,}|\p{Lu}+[-\d]*\d)$)",
                                   text::Pattern::Case::sensitive);
  return kCode.occurs_in(value);
}

// Returns whether the value is many digits without marks of thousands, as what numbers something.
bool is_number_of_thing(const std::string& value) {
  static const text::Pattern kLong(R"(^[^ .,\d$€£¥]*\d{7,}$)", text::Pattern::Case::sensitive);
  return kLong.occurs_in(value);
}

// Returns the words of a page in type much larger than most of it: its title, also where that is
// set next to other text and is no heading.
std::string large_words(const Page& page) {
  constexpr float kLarger = 1.4F;
  if (page.words.empty()) return {};
  std::vector<float> sizes;
  sizes.reserve(page.words.size());
  for (const Word& word : page.words) sizes.push_back(word.size_pt);
  const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
  std::ranges::nth_element(sizes, middle);
  std::string large;
  for (const Word& word : page.words) {
    if (word.size_pt > kLarger * *middle) append_word(word.text, &large);
  }
  return large;
}

// Returns whether the question asks for an item next to a box: all words of the item are asked, or
// the item has all that is asked.
bool asks_for_item(const Page& page, const Snippet& snippet, const text::WordRun& words,
                   const retrieve::Query& query) {
  if (words.count() == 0) return false;
  const LabelTerms item = label_terms_of(page, words);
  const double share = asked_share(item, query);
  const Terms others = other_terms(item, query, /*has_boxes=*/true);
  if (item.core.empty() || share == 0) return false;
  return others.empty() || (share == 1 && is_about(page, snippet.context, others, query));
}

}  // namespace

bool looks_like_kind(const std::string& value, std::uint32_t words, text::AnswerKind kind) {
  using enum text::AnswerKind;
  switch (kind) {
    case name:
      return any_character(value, is_letter);
    case money:
      if (is_number_of_thing(value)) return false;
      [[fallthrough]];
    case number:
    case count:
    case percent:
      return any_character(value, is_digit) && words <= kMostAmountWords && !is_all_date(value);
    case date:
      return any_character(value, is_digit) && !is_code(value);
    default:
      return true;
  }
}

double label_fit(const Page& page, const Snippet& snippet, const retrieve::Query& query) {
  if (!snippet.is_pair() || is_all_asked(page, snippet.value, query)) return 0;
  const LabelTerms label = label_terms_of(page, snippet.label);
  const double share = rank_of(label, query);
  const Terms others = other_terms(label, query, has_boxes(page, snippet));
  if (share == 0 || others.empty()) return share;
  const Terms names = subjects_of(query).names;
  const Terms context =
      query.as_asked(text::terms(snippet.context + " " + large_words(page), page.language));
  const Terms all = query.as_asked(text::terms(page_text(page), page.language));
  // For a word that is somewhere on the page, if the label is all asked for. "Company secretary" is
  // not what "the accounts of the company" asks for.
  const double elsewhere = asked_share(label, query) < 1 ? 0 : 0.5;
  double held = 0;
  for (const std::string& term : others) {
    const bool is_near = holds_term(names, term) || holds_term(context, term);
    held += is_near ? 1 : holds_term(all, term) ? elsewhere : 0;
  }
  return share * held / static_cast<double>(others.size());
}

namespace {

// Returns whether the question asks for the label of the pair and for no other on the page.
bool is_asked_pair(const Page& page, const Snippet& snippet, text::AnswerKind kind, double least,
                   const retrieve::Query& query) {
  if (!snippet.is_pair() || needs_more(demands(query.core))) return false;
  if (is_all_asked(page, snippet.value, query)) return false;
  const LabelTerms label = label_terms_of(page, snippet.label);
  const Terms others = other_terms(label, query, has_boxes(page, snippet));
  return asked_share(label, query) >= least && is_about(page, snippet.context, others, query) &&
         is_the_one(page, snippet, kind, others, query);
}

}  // namespace

std::optional<std::string> pair_value(const Page& page, const Snippet& snippet,
                                      text::AnswerKind kind, const retrieve::Query& query) {
  using enum text::AnswerKind;
  // Numbers to dial and the like are cut out of their surroundings elsewhere.
  if (kind == yes_no || text::is_address(kind)) return std::nullopt;
  // A label may be in the plural: "What are the payment terms?" asks for no list.
  if (kind == list && !fold(query.core).starts_with("what are the ")) return std::nullopt;
  const double least = kind == list ? 1 : kLeastFit;
  if (!is_asked_pair(page, snippet, kind, least, query)) return std::nullopt;
  std::string value = without_note_marks(chosen_words(page, snippet.value));
  while (value.ends_with(',') || value.ends_with(';')) value.pop_back();
  if (!looks_like_kind(value, snippet.value.count(), kind) || value.empty()) return std::nullopt;
  return value;
}

std::optional<std::string> pair_yes_no(const Page& page, const Snippet& snippet,
                                       const retrieve::Query& query) {
  if (!is_asked_pair(page, snippet, text::AnswerKind::yes_no, 1, query)) return std::nullopt;
  if (has_boxes(page, snippet)) return ticked_answer(page, snippet);
  const std::string value = fold(text::joined_words(page, snippet.value));
  if (value != "yes" && value != "no") return std::nullopt;
  return value == "yes" ? "Yes" : "No";
}

std::optional<std::string> item_yes_no(const Page& page, const Snippet& snippet,
                                       const retrieve::Query& query) {
  const std::uint32_t end = snippet.first_word + snippet.word_count;
  std::uint32_t box = snippet.is_pair() ? snippet.value.first : snippet.first_word;
  if (text::check_mark(page.words[box].text) == text::CheckMark::none) return std::nullopt;
  std::optional<std::string> said;
  while (box < end) {
    std::uint32_t next = box + 1;
    while (next < end && text::check_mark(page.words[next].text) == text::CheckMark::none) ++next;
    if (asks_for_item(page, snippet, {box + 1, next}, query)) {
      if (said) return std::nullopt;
      const bool ticked = text::check_mark(page.words[box].text) == text::CheckMark::ticked;
      said = ticked ? "Yes" : "No";
    }
    box = next;
  }
  return said;
}

bool has_boxes(const Page& page, const Snippet& snippet) {
  return has_box(page, {snippet.first_word, snippet.first_word + snippet.word_count});
}

std::optional<std::string> ticked_answer(const Page& page, const Snippet& snippet) {
  if (!has_boxes(page, snippet)) return std::nullopt;
  const text::WordRun all{snippet.first_word, snippet.first_word + snippet.word_count};
  const text::WordRun value = snippet.is_pair() ? snippet.value : all;
  const std::string chosen = fold(chosen_words(page, value));
  if (chosen == "yes" || chosen == "no") return chosen == "yes" ? "Yes" : "No";
  const bool is_box_alone = value.count() == 1;
  if (!is_box_alone) return std::nullopt;
  return text::check_mark(page.words[value.first].text) == text::CheckMark::ticked ? "Yes" : "No";
}

bool is_all_label(const Page& page, const std::vector<std::uint32_t>& words) {
  if (words.empty()) return false;
  const std::vector<text::LabelPair> pairs = text::label_pairs(page);
  return std::ranges::all_of(words, [&](std::uint32_t word) {
    return std::ranges::any_of(pairs, [&](const text::LabelPair& pair) {
      return pair.label.first <= word && word < pair.label.end;
    });
  });
}

}  // namespace fineprint::pipelines::extractive
