// Recognises the many ways in which models say that there is no answer.
#include <algorithm>
#include <array>

#include "fineprint/agents/citations.h"
#include "fineprint/core/text.h"
#include "fineprint/core/unicode.h"
#include "fineprint/text/sentences.h"

#include "agents/declining_clause.h"

namespace fineprint::agents {
namespace {

// Returns the answer folded, with letters, digits, "/" and "'" only, words separated by single
// spaces.
std::string plain_words(std::string_view answer) {
  const std::string folded = fold(answer);
  std::string words;
  for (std::size_t at = 0; at < folded.size();) {
    const char32_t c = next_code_point(folded, &at);
    if (is_letter(c) || is_digit(c) || c == U'/' || c == U'\'') {
      append_utf8(c, &words);
    } else if (!words.empty() && words.back() != ' ') {
      words += ' ';
    }
  }
  return std::string(trim(words));
}

std::string first_sentence_words(std::string_view answer) {
  const std::vector<text::Span> sentences = text::sentences(answer);
  if (sentences.empty()) return {};
  const text::Span first = sentences.front();
  return plain_words(answer.substr(first.begin, first.end - first.begin));
}

// Returns whether the answer consists of filler. A sign may be an answer ("†", "%"); dots, dashes,
// brackets and quotation marks are not.
bool says_nothing(std::string_view answer) {
  constexpr std::u32string_view kFiller = U".,;:!?-_*\"'`()[]{}<>/\\|\u2013\u2014\u2026";
  for (std::size_t at = 0; at < answer.size();) {
    const char32_t c = next_code_point(answer, &at);
    if (!is_space(c) && kFiller.find(c) == std::u32string_view::npos) return false;
  }
  return true;
}

// Abstain only as the complete answer, because within a longer one they may be part of a name or
// sentence.
constexpr std::array<std::string_view, 9> kWhole = {
    "n/a",          "no answer",     "unknown",    "not available", "not applicable",
    "not provided", "not specified", "not stated", "fail to answer"};

// Abstain as the complete answer, or if a reason follows ("... from the given pages").
constexpr std::array<std::string_view, 15> kDeclining = {
    "not answerable",           "unanswerable",           "not possible to answer",
    "cannot be answered",       "can not be answered",    "can't be answered",
    "cannot be determined",     "can not be determined",  "cannot answer",
    "cannot determine",         "unable to answer",       "unable to determine",
    "insufficient information", "not enough information", "don't know"};

// Words that may precede such a phrase.
constexpr std::array<std::string_view, 16> kBefore = {
    "the", "this", "question", "answer", "it",   "is",    "i",  "am",
    "i'm", "we",   "sorry",    "there",  "that", "given", "do", "but"};

// First words of a reason after such a phrase.
constexpr std::array<std::string_view, 14> kGround = {"from",  "based", "with",      "by",     "in",
                                                      "given", "using", "according", "on",     "as",
                                                      "to",    "the",   "this",      "because"};

template <std::size_t N>
bool holds(const std::array<std::string_view, N>& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

std::string_view first_word(std::string_view words) { return words.substr(0, words.find(' ')); }

std::string_view without_first(std::string_view words) {
  return words.substr(std::min(first_word(words).size() + 1, words.size()));
}

}  // namespace

bool declines(std::string_view answer) {
  const std::string words = plain_words(answer);
  if (words.empty()) return says_nothing(answer);
  if (holds(kWhole, words)) return true;
  if (begins_by_declining(first_sentence_words(answer), words)) return true;
  std::string_view rest = words;
  while (holds(kBefore, first_word(rest))) rest = without_first(rest);
  return std::ranges::any_of(kDeclining, [&](std::string_view phrase) {
    if (!rest.starts_with(phrase)) return false;
    if (rest.size() == phrase.size()) return true;
    return rest[phrase.size()] == ' ' && holds(kGround, first_word(rest.substr(phrase.size() + 1)));
  });
}

FinalAnswer final_answer(std::string_view answer, bool answerable) {
  if (!answerable || declines(answer)) return {std::string(kNotAnswerable), false};
  return {std::string(trim(answer)), true};
}

}  // namespace fineprint::agents
