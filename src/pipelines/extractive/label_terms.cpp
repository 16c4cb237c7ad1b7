// The words of labels, without units, and what a question has of them.
#include "pipelines/extractive/label_terms.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include "fineprint/core/unicode.h"
#include "fineprint/text/check_marks.h"
#include "fineprint/text/label_pairs.h"
#include "fineprint/text/language.h"
#include "fineprint/text/terms.h"

#include "pipelines/extractive/asked_noun.h"
#include "pipelines/extractive/demands.h"
#include "pipelines/extractive/subject.h"

namespace fineprint::pipelines::extractive {
namespace {

constexpr double kLeastOnPage = 0.7;   // share of the question's terms that the page must hold
constexpr double kLeastOfEmpty = 0.7;  // share of the terms of an empty label that must be asked

// Stems of words for making a cross.
bool is_choosing(const std::string& term) {
  static constexpr std::array<std::string_view, 11> kChoosing = {
      "chosen", "choos", "select",  "tick",   "mark", "check",
      "cross",  "want",  "request", "requir", "need"};
  return std::ranges::find(kChoosing, term) != kChoosing.end();
}

// "owner" names who owns, "auditor" who audits.
bool is_agent_of(std::string_view agent, std::string_view verb) {
  if (verb.size() < 3 || !agent.starts_with(verb)) return false;
  const std::string_view rest = agent.substr(verb.size());
  return rest == "er" || rest == "or" || rest == "r";
}

// Marks what has a number: "rechnung#" for "Rechnungsnummer" and "Rechnungsnr.". German and Dutch
// write the two as one word.
constexpr char kNumberMark = '#';

// Returns the term with the mark in place of "number" at its end; any other term unchanged.
std::string with_number_mark(const std::string& term) {
  for (const std::string_view number : {"nummer", "numm", "nr"}) {
    if (!term.ends_with(number) || term.size() < number.size() + 3) continue;
    std::string thing = term.substr(0, term.size() - number.size());
    if (thing.ends_with('s')) thing.pop_back();
    return thing + kNumberMark;
  }
  return term;
}

// Returns the letters of the thing that word `at` of a label numbers, which are in the same word
// ("Kunden-Nr.") or in the one before ("Rechnung Nr.").
std::string thing_with_number(const Page& page, std::uint32_t first, std::uint32_t at) {
  std::string word = fold(page.words[at].text);
  const std::size_t number = word.rfind("nr");
  if (number != std::string::npos && number > 0) {
    word.resize(number);
  } else {
    // "Rechnung (380) Nr."
    while (at > first) {
      word = fold(page.words[--at].text);
      if (!word.starts_with('(')) break;
    }
  }
  while (!word.empty() && std::ispunct(static_cast<unsigned char>(word.back())) != 0) {
    word.pop_back();
  }
  if (word.ends_with('s')) word.pop_back();  // as with_number_mark() does
  return word;
}

bool is_number_word(const std::string& term) {
  return term == "nr" || term == "no" || term == "numm" || term == "nummer" || term == "number";
}

// Returns whether two terms mean the same. In compounds the last part counts: a "Kundenrechnung" is
// a "Rechnung".
bool are_alike(const std::string& a, const std::string& b) {
  if (a == b || is_agent_of(a, b) || is_agent_of(b, a)) return true;
  const std::string one = with_number_mark(a), other = with_number_mark(b);
  constexpr std::size_t kLeast = 4;  // bytes, so that "#" alone is like nothing
  if (std::min(one.size(), other.size()) < kLeast) return false;
  if (one.back() != kNumberMark || other.back() != kNumberMark) return false;
  return one.ends_with(other) || other.ends_with(one);
}

}  // namespace

bool is_generic(const std::string& term) {
  static constexpr std::array<std::string_view, 8> kGeneric = {"name", "number", "amount", "valu",
                                                               "no",   "nr",     "please", "date"};
  return std::ranges::find(kGeneric, term) != kGeneric.end();
}

bool holds_term(const Terms& terms, const std::string& term) {
  return std::ranges::any_of(terms, [&](const std::string& one) { return are_alike(one, term); });
}

LabelTerms label_terms_of(const Page& page, const text::WordRun& label) {
  LabelTerms terms;
  bool is_rest = false, is_remark = false;  // the rest ends with its parenthesis, if it has one
  for (std::uint32_t i = label.first; i < label.end; ++i) {
    const std::string& word = page.words[i].text;
    is_remark = is_remark || (i > label.first && word.starts_with('('));
    is_rest = is_rest || is_remark || (i > label.first && fold(word) == "in");
    for (std::string& term : text::terms(word, page.language)) {
      // "Rechnung Nr." is the "Rechnungsnummer".
      const bool numbers = is_number_word(term) && !is_rest && !terms.core.empty() &&
                           !text::is_english(page.language);
      if (numbers) terms.core.back() = thing_with_number(page, label.first, i) + kNumberMark;
      (is_rest || is_generic(term) ? terms.rest : terms.core).push_back(std::move(term));
    }
    if (is_remark && word.ends_with(')')) is_rest = is_remark = false;
  }
  if (terms.core.empty()) std::swap(terms.core, terms.rest);
  return terms;
}

namespace {

bool is_asked_for(const retrieve::Query& query, const std::string& printed) {
  const std::string term = query.as_asked({printed}).front();
  if (holds_term(query.asked_terms, term) || holds_term(query.added_terms, term)) return true;
  return term.back() == kNumberMark &&
         holds_term(query.asked_terms, term.substr(0, term.size() - 1)) &&
         std::ranges::any_of(query.asked_terms, is_number_word);
}

// Returns whether two neighbouring terms are asked for as one word: "Belegdatum" for "Beleg-Datum".
bool are_asked_as_one(const retrieve::Query& query, const Terms& terms, std::size_t first) {
  return first + 1 < terms.size() &&
         std::ranges::find(query.asked_terms, terms[first] + terms[first + 1]) !=
             query.asked_terms.end();
}

}  // namespace

double asked_share(const LabelTerms& label, const retrieve::Query& query) {
  if (label.core.empty()) return 0;
  std::size_t asked = 0;
  for (std::size_t i = 0; i < label.core.size(); ++i) {
    const bool is_asked = is_asked_for(query, label.core[i]) ||
                          are_asked_as_one(query, label.core, i) ||
                          (i > 0 && are_asked_as_one(query, label.core, i - 1));
    asked += is_asked ? 1 : 0;
  }
  return static_cast<double>(asked) / static_cast<double>(label.core.size());
}

double rank_of(const LabelTerms& label, const retrieve::Query& query) {
  constexpr double kLittle = 0.05;
  double rank = asked_share(label, query);
  if (rank == 0) return 0;
  for (const std::string& term : label.rest) {
    if (is_generic(term)) rank += is_asked_for(query, term) ? kLittle : -kLittle;
  }
  return rank;
}

namespace {

bool is_joined_of(const Terms& terms, const std::string& term) {
  for (std::size_t i = 0; i + 1 < terms.size(); ++i) {
    if (terms[i] + terms[i + 1] == term) return true;
  }
  return false;
}

}  // namespace

Terms other_terms(const LabelTerms& label, const retrieve::Query& query, bool has_boxes) {
  Terms others;
  const Terms core = query.as_asked(label.core), rest = query.as_asked(label.rest);
  for (const std::string& term : query.asked_terms) {
    const bool known =
        holds_term(core, term) || holds_term(rest, term) || is_joined_of(label.core, term);
    if (known || is_generic(term) || (has_boxes && is_choosing(term))) continue;
    others.push_back(term);
  }
  return others;
}

bool is_about(const Page& page, const std::string& context, const Terms& others,
              const retrieve::Query& query) {
  const Terms names = subjects_of(query).names;
  const Terms held = query.as_asked(text::terms(page_text(page) + " " + context, page.language));
  const auto missing = std::ranges::count_if(others, [&](const std::string& term) {
    return !holds_term(names, term) && !holds_term(held, term);
  });
  const auto asked = static_cast<double>(query.asked_terms.size());
  return asked - static_cast<double>(missing) >= kLeastOnPage * asked;
}

namespace {

// Returns whether the value is several boxes to tick, none of which is ticked.
bool is_open_choice(const Page& page, const text::WordRun& value) {
  std::size_t boxes = 0;
  for (std::uint32_t i = value.first; i < value.end; ++i) {
    const text::CheckMark mark = text::check_mark(page.words[i].text);
    if (mark == text::CheckMark::ticked) return false;
    boxes += mark == text::CheckMark::empty ? 1 : 0;
  }
  return boxes > 1;
}

// Returns rank_of() and a little for a label that has the asked noun: "Allergies" and not
// "Participant" in "Which allergies does the participant have?".
double rank_by_noun(const LabelTerms& label, const Terms& noun, const retrieve::Query& query) {
  constexpr double kNounRank = 0.1;
  const bool has_noun = !noun.empty() && std::ranges::all_of(noun, [&](const std::string& term) {
    return holds_term(label.core, term);
  });
  return rank_of(label, query) + (has_noun ? kNounRank : 0);
}

// Moves the labels of open choices to those without a value.
text::PageLabels with_open_choices(const Page& page, text::PageLabels labels) {
  std::erase_if(labels.pairs, [&](const text::LabelPair& pair) {
    if (!is_open_choice(page, pair.value)) return false;
    labels.empty.push_back(pair.label);
    return true;
  });
  return labels;
}

}  // namespace

bool asks_empty_field(const Page& page, const std::string& context, text::AnswerKind kind,
                      const retrieve::Query& query) {
  const Demands asked = demands(query.core);
  if (asked.arithmetic || asked.several) return false;
  const text::PageLabels labels = with_open_choices(page, text::page_labels(page));
  const Terms noun = asked_noun(query.core, query.language);
  double best = 0;
  for (const text::WordRun& empty : labels.empty) {
    const LabelTerms label = label_terms_of(page, empty);
    // A label that asks yes or no is asked for as a whole.
    const double least = kind == text::AnswerKind::yes_no ? 1 : kLeastOfEmpty;
    if (asked_share(label, query) < least) continue;
    if (!is_about(page, context, other_terms(label, query, /*has_boxes=*/true), query)) continue;
    best = std::max(best, rank_by_noun(label, noun, query));
  }
  return best > 0 && std::ranges::all_of(labels.pairs, [&](const text::LabelPair& pair) {
           return rank_by_noun(label_terms_of(page, pair.label), noun, query) < best;
         });
}

}  // namespace fineprint::pipelines::extractive
