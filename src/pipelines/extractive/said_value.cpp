// Compares the words around each value with the verb or the role of the question.
#include "pipelines/extractive/said_value.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "fineprint/core/text.h"
#include "fineprint/core/unicode.h"
#include "fineprint/text/language.h"
#include "fineprint/text/pattern.h"
#include "fineprint/text/terms.h"

#include "pipelines/extractive/amounts.h"
#include "pipelines/extractive/asked_noun.h"
#include "pipelines/extractive/label_terms.h"

namespace fineprint::pipelines::extractive {
namespace {

using text::AnswerKind;
using text::Value;

// Returns the terms that a value must be next to: the last word of "When was the paper accepted?",
// the role of "Who is the head of research?".
Terms focus_of(AnswerKind kind, const retrieve::Query& query) {
  static const text::Pattern kWhen(R"(^when (?:was|were|is|are|did|does|do) .* (\p{L}+)\W*$)",
                                   text::Pattern::Case::sensitive);
  static const text::Pattern kWho(R"(^who (?:is|was|are|were) (?:the|its|their) )",
                                  text::Pattern::Case::sensitive);
  const std::string folded = fold(query.core);
  if (kind == AnswerKind::name) {
    return kWho.occurs_in(folded) ? asked_noun(query.core, query.language) : Terms{};
  }
  const auto found = kWhen.matches(folded);
  return found.empty() ? Terms{} : text::terms(found.front()[1]);
}

// Finds the values of one snippet.
class Neighbours {
 public:
  Neighbours(const Page& page, const Snippet& snippet, const Terms& focus)
      : page_(page), snippet_(snippet), focus_(focus) {}

  // Returns what the value says about the focus; "" if it is not next to it.
  std::string said(const Value& value, AnswerKind kind) const {
    if (kind == AnswerKind::name) return name_with_role(value);
    return follows_verb(value) ? value.text : std::string();
  }

 private:
  // "Accepted 8 March 2006", "founded in 1950", "Signed: 3 May".
  bool follows_verb(const Value& date) const {
    std::size_t word = first_word(date);
    while (word > 0 && links(word - 1)) --word;
    return word > 0 && is_focus(word - 1);
  }

  // Returns the name of "Superintendent Wendy Gray", "Ann Lee, head of research" and "the auditor
  // is Ann Lee"; "" if there is none of at least two words. A role in capitals looks like a part of
  // it.
  std::string name_with_role(const Value& name) const {
    std::size_t first = first_word(name), end = last_word(name) + 1;
    if (first + focus_.size() < end && hold_focus(first, first + focus_.size())) {
      first += focus_.size();
    }
    const bool is_name = first + 1 < end && !hold_focus(first, end) && has_role(first, end);
    return is_name ? joined(first, end) : std::string();
  }

  std::string joined(std::size_t first, std::size_t end) const {
    std::string text;
    for (std::size_t i = first; i < end; ++i) append_word(word(i), &text);
    while (text.ends_with(',') || text.ends_with(';')) text.pop_back();
    return text;
  }

  bool has_role(std::size_t first, std::size_t end) const {
    std::size_t before = first, after = end;
    while (before > 0 && links(before - 1)) --before;
    while (after < snippet_.word_count && links(after)) ++after;
    const std::size_t from = before - std::min(before, focus_.size());
    const std::size_t past = std::min<std::size_t>(after + focus_.size(), snippet_.word_count);
    // A comma is between a name and the role after it, and none between a role and the name after
    // it.
    const bool leads = before > 0 && !word(before - 1).ends_with(',') && hold_focus(from, before);
    const bool is_apart = after > end || word(end - 1).ends_with(',');
    return leads || (is_apart && hold_focus(after, past));
  }

  std::string word(std::size_t index) const {
    return page_.words[snippet_.first_word + index].text;
  }

  std::size_t first_word(const Value& value) const {
    return word_at(page_, snippet_, value.span.begin);
  }
  std::size_t last_word(const Value& value) const {
    return word_at(page_, snippet_, value.span.end - 1);
  }

  bool links(std::size_t index) const {
    static constexpr std::array<std::string_view, 9> kLinks = {"on", "in",  "at",  "is", "was",
                                                               ":",  "the", "our", "its"};
    return std::ranges::find(kLinks, fold(word(index))) != kLinks.end();
  }

  bool is_focus(std::size_t index) const { return hold_focus(index, index + 1); }

  // Returns whether the words [first, end) hold all of the focus.
  bool hold_focus(std::size_t first, std::size_t end) const {
    Terms held;
    for (std::size_t i = first; i < end; ++i) {
      for (std::string& term : text::terms(word(i))) held.push_back(std::move(term));
    }
    return std::ranges::all_of(focus_,
                               [&](const std::string& term) { return holds_term(held, term); });
  }

  const Page& page_;
  const Snippet& snippet_;
  const Terms& focus_;
};

// Returns whether the value only repeats the question: "Harbour Branch" is not its manager.
bool is_asked(const std::string& value, const retrieve::Query& query) {
  return std::ranges::all_of(text::terms(value), [&](const std::string& term) {
    return holds_term(query.asked_terms, term);
  });
}

bool holds_rest(const Page& page, const Snippet& snippet, const Terms& focus,
                const retrieve::Query& query) {
  Terms others = query.asked_terms;
  std::erase_if(others, [&](const std::string& term) { return holds_term(focus, term); });
  return is_about(page, snippet.context, others, query);
}

}  // namespace

std::optional<std::string> said_value(const Page& page, const Snippet& snippet, AnswerKind kind,
                                      const retrieve::Query& query) {
  if (kind != AnswerKind::name && kind != AnswerKind::date) return std::nullopt;
  if (!text::is_english(query.language) || !text::is_english(page.language)) return std::nullopt;
  const Terms focus = focus_of(kind, query);
  if (focus.empty()) return std::nullopt;
  const Neighbours neighbours(page, snippet, focus);
  std::optional<std::string> found;
  for (const Value& value : text::find_values(snippet.text, kind)) {
    const std::string said = neighbours.said(value, kind);
    if (said.empty() || is_asked(said, query)) continue;
    if (found && *found != said) return std::nullopt;
    found = said;
  }
  return found && holds_rest(page, snippet, focus, query) ? found : std::nullopt;
}

}  // namespace fineprint::pipelines::extractive
