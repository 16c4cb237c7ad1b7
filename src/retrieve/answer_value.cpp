// Pulls the value that a question asks for out of a passage.
#include "fineprint/retrieve/answer_value.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <set>

#include "fineprint/core/unicode.h"
#include "fineprint/text/question.h"
#include "fineprint/text/terms.h"

namespace fineprint::retrieve {
namespace {

using text::AnswerKind;
using text::Value;

// Runs of digits with their separators: "1,234.5", "2022".
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

bool is_bare_year(const std::string& text) {
  return text.size() == 4 && (text.starts_with("19") || text.starts_with("20")) &&
         std::ranges::all_of(text, [](unsigned char c) { return std::isdigit(c) != 0; });
}

// Whether the word before `begin` numbers a thing ("Figure 1", "Note 12") instead of counting it.
bool numbers_a_thing(const std::string& passage, std::uint32_t begin) {
  static const std::set<std::string> kLabels = {"figure",   "fig",  "table",   "chart", "exhibit",
                                                "note",     "page", "section", "item",  "chapter",
                                                "appendix", "step", "part",    "slide", "equation"};
  constexpr std::size_t kFarthest = 40;  // a label is not looked for in all of a hostile page
  const auto is_letter = [&](std::size_t at) {
    return std::isalpha(static_cast<unsigned char>(passage[at])) != 0;
  };
  const std::size_t least = begin - std::min<std::size_t>(begin, kFarthest);
  std::size_t end = begin;
  while (end > least && !is_letter(end - 1)) --end;
  std::size_t start = end;
  while (start > least && is_letter(start - 1)) --start;
  std::string before = passage.substr(start, end - start);
  std::ranges::transform(before, before.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return kLabels.contains(before);
}

// A quantity of the kind, and not a year, a percentage or a label's number that looks like one.
bool is_amount(const std::string& passage, const Value& value, AnswerKind kind) {
  if (kind != AnswerKind::number && kind != AnswerKind::money && kind != AnswerKind::count) {
    return true;
  }
  const bool percent = value.text.ends_with('%') || value.text.ends_with("cent");
  if (percent && kind != AnswerKind::number) return false;
  return !is_bare_year(value.text) && !numbers_a_thing(passage, value.span.begin);
}

// Values of the kind whose numbers (or, without numbers, words) the question does not hold. The
// number of a page that it names is none of them: "how many ... on page 5" may well be answered
// "5".
std::vector<Value> new_values(const std::string& passage, AnswerKind kind,
                              const std::string& question) {
  const std::set<std::string> known = numbers_in(text::without_named_pages(question));
  std::vector<Value> fresh;
  for (Value& value : text::find_values(passage, kind)) {
    const std::set<std::string> own = numbers_in(value.text);
    const bool repeats = own.empty() ? question.find(value.text) != std::string::npos
                                     : std::ranges::includes(known, own);
    if (!repeats && is_amount(passage, value, kind)) fresh.push_back(std::move(value));
  }
  return fresh;
}

// The word of the passage, counted from its first, in which byte `offset` of its text lies.
std::uint32_t word_at(const Page& page, const Passage& passage, std::uint32_t offset) {
  std::uint32_t end = 0;
  for (std::uint32_t i = 0; i < passage.word_count; ++i) {
    end += static_cast<std::uint32_t>(page.words[passage.first_word + i].text.size()) + 1;
    if (offset < end) return i;
  }
  return passage.word_count - 1;
}

// The horizontal middle of the column that a year of the question heads.
std::optional<float> asked_column(const Page& page, const Passage& passage,
                                  const std::string& question) {
  const std::set<std::string> asked = numbers_in(question);
  for (std::uint32_t i = 0; i < passage.column_word_count; ++i) {
    const Word& word = page.words[passage.first_column_word + i];
    for (const std::string& number : numbers_in(word.text)) {
      if (number.size() == 4 && asked.contains(number)) return (word.box.x0 + word.box.x1) / 2;
    }
  }
  return std::nullopt;
}

const Value* nearest_to_column(const Page& page, const Passage& passage,
                               const std::vector<Value>& values, float column) {
  const Value* best = nullptr;
  float least = std::numeric_limits<float>::infinity();
  for (const Value& value : values) {
    // A value may begin with a currency sign in a word of its own: its last word is the figure.
    const std::uint32_t last = word_at(page, passage, value.span.end - 1);
    const Box& box = page.words[passage.first_word + last].box;
    const float distance = std::abs((box.x0 + box.x1) / 2 - column);
    if (distance < least) {
      least = distance;
      best = &value;
    }
  }
  return best;
}

// The value with the fewest words between it and a word of the question; what follows that word
// is preferred to what precedes it.
const Value* nearest_to_question(const Page& page, const Passage& passage,
                                 const std::vector<Value>& values, const Query& query) {
  std::vector<double> asked_at;
  for (std::uint32_t i = 0; i < passage.word_count; ++i) {
    for (const std::string& term : text::terms(page.words[passage.first_word + i].text)) {
      if (std::ranges::find(query.asked_terms, term) != query.asked_terms.end()) {
        asked_at.push_back(i);
      }
    }
  }
  const Value* best = nullptr;
  double least = std::numeric_limits<double>::infinity();
  for (const Value& value : values) {
    const double at = word_at(page, passage, value.span.begin);
    double distance = asked_at.empty() ? at : std::numeric_limits<double>::infinity();
    for (const double asked : asked_at) {
      distance = std::min(distance, at >= asked ? at - asked : asked - at + 0.5);
    }
    if (distance < least) {
      least = distance;
      best = &value;
    }
  }
  return best;
}

// "No" where the passage denies something, else "Yes": it was chosen for saying what is asked.
std::string yes_or_no(const std::string& passage) {
  for (const Value& value : text::find_values(passage, AnswerKind::yes_no)) {
    const std::string said = fold(value.text);
    if (said != "yes" && said != "true") return "No";
  }
  return "Yes";
}

std::string joined(const std::vector<Value>& values) {
  std::string text;
  for (const Value& value : values) text += (text.empty() ? "" : ", ") + value.text;
  return text;
}

}  // namespace

double kind_fit(const std::string& passage, AnswerKind kind, const std::string& question) {
  if (kind == AnswerKind::text || kind == AnswerKind::yes_no || kind == AnswerKind::list) {
    return 0.5;
  }
  return new_values(passage, kind, question).empty() ? 0.0 : 1.0;
}

std::optional<std::string> answer_value(const Page& page, const Passage& passage, AnswerKind kind,
                                        const Query& query) {
  if (kind == AnswerKind::text) return std::nullopt;
  if (kind == AnswerKind::yes_no) return yes_or_no(passage.text);
  const std::vector<Value> values = new_values(passage.text, kind, query.core);
  if (values.empty()) return std::nullopt;
  if (kind == AnswerKind::list) return joined(values);
  if (passage.is_row) {
    if (const std::optional<float> column = asked_column(page, passage, query.core)) {
      return nearest_to_column(page, passage, values, *column)->text;
    }
  }
  return nearest_to_question(page, passage, values, query)->text;
}

}  // namespace fineprint::retrieve
