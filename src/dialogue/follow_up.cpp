// The rules for the kinds of follow-ups, and their order.
#include "fineprint/dialogue/follow_up.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "fineprint/core/letter_case.h"
#include "fineprint/core/text.h"
#include "fineprint/core/unicode.h"
#include "fineprint/text/pattern.h"

#include "dialogue/antecedent.h"
#include "dialogue/phrases.h"
#include "dialogue/pronouns.h"
#include "dialogue/replacement.h"
#include "dialogue/time_words.h"
#include "dialogue/vocabulary.h"
#include "dialogue/words.h"

namespace fineprint::dialogue {
namespace {

using Rest = std::span<const Word>;

constexpr std::size_t kLongestFragment = 8;  // words
constexpr double kLikelyRight = 0.5;         // the confidence from which an answer may be meant
constexpr std::size_t kLongestNoun = 3;      // words after "how many" in a fragment

// A follow-up with its vocabulary and what it follows.
struct Followed {
  Words asked;  // without "and" before it
  Words last;   // the last question
  const Vocabulary& words;
  std::span<const Turn> earlier;
  bool led = false;  // began with "and" or a like word
};

bool has_auxiliary(Rest asked, const Vocabulary& words) {
  return std::ranges::any_of(asked,
                             [&](const Word& word) { return holds(words.auxiliaries, word.key); });
}

bool has_content(Rest asked, const Vocabulary& words) {
  return std::ranges::any_of(asked,
                             [&](const Word& word) { return !is_function_word(words, word.key); });
}

bool has_any_pronoun(Rest asked, const Vocabulary& words) {
  return std::ranges::any_of(asked, [&](const Word& word) { return is_pronoun(words, word.key); });
}

bool begins_with(Rest asked, std::string_view phrase) {
  const Words keys = words_of(phrase);
  return asked.size() >= keys.size() &&
         std::ranges::equal(keys, asked.first(keys.size()), {}, &Word::key, &Word::key);
}

// Returns what follows "what about" and the like; nullopt if the question begins otherwise.
std::optional<Rest> after_about(Rest asked, const Vocabulary& words) {
  for (const std::string_view about : words.abouts) {
    if (begins_with(asked, about)) return asked.subspan(words_of(about).size());
  }
  return std::nullopt;
}

// Returns what follows "how much was that": only that differs from the last question.
std::optional<Rest> after_same(Rest asked) {
  static const text::Pattern kSame(
      R"(^(?:how (?:much|many|big|high|long|large)|what) (?:is|was|were|are) (?:it|that|this|they|those|these)(?= (?:in|on|at|for|by|during|after|before) |$))");
  const std::string text = lower_case(text_of(asked));
  const auto found = kSame.find_all(text);
  if (found.empty()) return std::nullopt;
  const std::string_view same = std::string_view(text).substr(0, found[0].whole().end);
  return asked.subspan(words_of(same).size());
}

// "Why?" and "In how many schools?": the rest is that of the last question.
std::optional<std::string> by_asking(const Followed& follow) {
  const Rest asked(follow.asked);
  const std::size_t end = end_of_asking(follow.asked, follow.words);
  const bool has_rest = has_auxiliary(asked, follow.words) || has_any_pronoun(asked, follow.words);
  if (end == 0 || has_rest || follow.last.empty()) return std::nullopt;
  if (!has_content(asked, follow.words)) return with_asked(follow.last, asked, follow.words);
  const std::size_t first = holds(follow.words.prepositions, asked.front().key) ? 1 : 0;
  const bool counts =
      asked.size() > first + 1 && holds(follow.words.quantities, asked[first + 1].key);
  const std::size_t nouns = asked.size() - first - (counts ? 2 : 1);
  const bool is_noun = nouns > 0 && nouns <= (follow.led || first > 0 ? kLongestNoun : 1);
  if (!counts || !is_noun) return std::nullopt;
  return with_asked(follow.last, asked, follow.words);
}

// "Its length", "her salary": a question of what a thing of the conversation has.
std::optional<std::string> by_possession(const Followed& follow) {
  const Rest asked(follow.asked);
  const bool possesses = holds(follow.words.possessives, asked.front().key);
  if (!possesses || has_auxiliary(asked, follow.words)) return std::nullopt;
  const auto text = without_pronouns(follow.asked, follow.earlier, follow.words);
  if (!text) return std::nullopt;
  return std::string(follow.words.what_is) + " " + *text;
}

// "The date": an attribute where the last question asked for none that it could replace.
std::optional<std::string> by_attribute(const Followed& follow, Rest part) {
  if (!holds(follow.words.attributes, part.back().key)) return std::nullopt;
  const bool is_of_last = std::ranges::any_of(
      follow.last, [&](const Word& word) { return holds(follow.words.attributes, word.key); });
  if (is_of_last) return std::nullopt;
  const auto owner = antecedent(Meant::thing, follow.earlier, follow.words);
  if (!owner) return std::nullopt;
  return std::string(follow.words.what_is) + " " + text_of(part) + " " +
         std::string(follow.words.of_thing) + " " + *owner;
}

// Verbs that begin a wish of its own: "And list the vessels".
constexpr std::array<std::string_view, 16> kWishes = {
    "list",    "show",      "name",      "give",  "tell",  "explain", "describe", "find",
    "compare", "summarise", "summarize", "nenne", "zeige", "liste",   "erkläre",  "finde"};

// What differs from the last question, if the follow-up is no question of its own.
std::optional<Rest> differing_part(const Followed& follow) {
  const Rest asked(follow.asked);
  if (const auto part = after_about(asked, follow.words)) return part;
  if (const auto part = after_same(asked)) return part;
  const bool is_short = asked.size() <= kLongestFragment;
  const bool asks = end_of_asking(follow.asked, follow.words) > 0;
  const bool wishes = std::ranges::find(kWishes, asked.front().key) != kWishes.end();
  if (!is_short || asks || wishes || has_auxiliary(asked, follow.words)) return std::nullopt;
  // Without "and", a few words are as likely a search of their own.
  const bool is_fragment = follow.led || holds(follow.words.prepositions, asked.front().key) ||
                           is_time(follow.words, asked.front().key);
  if (!is_fragment) return std::nullopt;
  return asked;
}

std::optional<std::string> by_fragment(const Followed& follow) {
  const auto part = differing_part(follow);
  if (!part || part->empty()) return std::nullopt;
  if (!has_content(*part, follow.words)) return std::nullopt;
  if (auto text = by_attribute(follow, *part)) return text;
  return with_replaced(follow.last, *part, follow.words);
}

// "What if I have no receipt?"
std::optional<std::string> by_condition(const Followed& follow) {
  const bool is_condition =
      begins_with(follow.asked, "what if") || begins_with(follow.asked, "was wenn");
  if (!is_condition) return std::nullopt;
  const Words condition(follow.asked.begin() + 1, follow.asked.end());
  const auto text = without_pronouns(condition, follow.earlier, follow.words);
  return text_of(follow.last) + " " + text.value_or(text_of(condition));
}

// "What was the total?" says too little without the turns before.
std::optional<std::string> by_lone_attribute(const Followed& follow) {
  const Rest asked(follow.asked);
  static const text::Pattern kLone(
      R"(^(?:what|was) (?:is|was|are|were|ist|war) (?:the|der|die|das) \S+$)");
  const bool is_lone = kLone.occurs_in(lower_case(text_of(asked)));
  if (!is_lone || !holds(follow.words.attributes, asked.back().key)) return std::nullopt;
  const auto owner = antecedent(Meant::place, follow.earlier, follow.words);
  if (!owner) return std::nullopt;
  return text_of(asked) + " " + std::string(follow.words.of_thing) + " " + *owner;
}

// "How many reefs are there?" does not say where.
std::optional<std::string> by_lone_there(const Followed& follow) {
  const Rest asked(follow.asked);
  const bool ends_there = asked.size() > 2 && asked.back().key == "there" &&
                          holds(follow.words.auxiliaries, asked[asked.size() - 2].key);
  if (!ends_there || end_of_asking(follow.asked, follow.words) == 0) return std::nullopt;
  const auto place = antecedent(Meant::place, follow.earlier, follow.words);
  if (!place) return std::nullopt;
  return text_of(asked) + " " + std::string(follow.words.at_place) + " " + *place;
}

std::optional<std::string> written_out_whole(const Followed& follow) {
  for (const auto rule :
       {by_condition, by_possession, by_fragment, by_asking, by_lone_attribute, by_lone_there}) {
    if (auto text = rule(follow)) return text;
  }
  return without_pronouns(follow.asked, follow.earlier, follow.words);
}

// Takes "in that document" out of a question and returns whether it was there.
bool take_same_document(std::string* asked) {
  static const text::Pattern kSame(
      R"(\b(?:in|on|from|auf|in) (?:that|this|the same|diesem|demselben|dem gleichen) )"
      R"((?:document|report|file|paper|letter|page|dokument|bericht|datei|brief|seite)\b)");
  if (!kSame.occurs_in(*asked)) return false;
  *asked = one_line(kSame.replaced(*asked, ""));
  return true;
}

std::size_t leads_before(const Words& asked, const Vocabulary& words) {
  std::size_t count = 0;
  while (count + 1 < asked.size() && holds(words.leads, asked[count].key)) ++count;
  return count;
}

}  // namespace

Turn turn_of(const Answer& answer) {
  Turn turn{.question = answer.question};
  if (!answer.answerable) return turn;
  if (answer.confidence >= kLikelyRight) turn.answer = answer.answer;
  for (const Citation& citation : answer.citations) {
    if (std::ranges::find(turn.docs, citation.page.doc) == turn.docs.end()) {
      turn.docs.push_back(citation.page.doc);
    }
  }
  return turn;
}

Understood understand(std::string_view asked, std::span<const Turn> earlier) {
  Understood as_is{.question = std::string(trim(asked))};
  if (earlier.empty()) return as_is;
  std::string text = with_named_years(as_is.question, earlier);
  std::vector<std::string> docs;
  if (take_same_document(&text) && !earlier.back().docs.empty()) {
    docs = {earlier.back().docs.front()};
  }
  const Words all = words_of(text);
  Words last = words_of(earlier.back().question);
  const Vocabulary& words = vocabulary_for(all, last);
  const std::size_t leads = leads_before(all, words);
  const Followed follow{.asked = {all.begin() + static_cast<std::ptrdiff_t>(leads), all.end()},
                        .last = std::move(last),
                        .words = words,
                        .earlier = earlier,
                        .led = leads > 0};
  if (follow.asked.empty()) return as_is;
  const bool has_year = text != as_is.question;
  if (auto whole = written_out_whole(follow)) {
    return {.question = as_question(*whole), .docs = std::move(docs), .changed = true};
  }
  if (!has_year) return as_is;
  return {.question = as_question(text_of(follow.asked)), .docs = std::move(docs), .changed = true};
}

}  // namespace fineprint::dialogue
