// Decides what each pronoun of a question means.
#include "dialogue/pronouns.h"

#include <algorithm>
#include <array>

#include "dialogue/antecedent.h"
#include "dialogue/phrases.h"

namespace fineprint::dialogue {
namespace {

// After "it", these and a later "to" mean that "it" stands for nothing: "does it cost to repair".
constexpr std::array<std::string_view, 8> kEmptyAfterIt = {
    "cost", "take", "possible", "necessary", "allowed", "be", "rain", "rained"};

// The text that replaces words [begin, end) of a question.
struct WrittenOut {
  std::size_t begin = 0, end = 0;
  std::string text;
};

bool is_empty_it(const Words& asked, std::size_t at) {
  if (asked[at].key != "it" || at + 1 >= asked.size()) return false;
  const auto from = asked.begin() + static_cast<std::ptrdiff_t>(at);
  const bool has_to = std::ranges::find(from, asked.end(), "to", &Word::key) != asked.end();
  return has_to && std::ranges::find(kEmptyAfterIt, asked[at + 1].key) != kEmptyAfterIt.end();
}

// "There are", "are there": the word names no place.
bool is_empty_there(const Words& asked, std::size_t at, const Vocabulary& words) {
  if (asked[at].key != "there") return false;
  const bool after = at > 0 && holds(words.auxiliaries, asked[at - 1].key);
  const bool before = at + 1 < asked.size() && holds(words.auxiliaries, asked[at + 1].key);
  return after || before;
}

// "The reef that did not recover", "say that": after a noun or a verb, "that" begins a clause.
bool begins_clause(const Words& asked, std::size_t at, const Vocabulary& words) {
  if (asked[at].key != "that" || at == 0) return false;
  const Word& before = asked[at - 1];
  return !is_function_word(words, before.key) || is_capital(before);
}

// The words after which a pronoun may mean something in the clause before.
constexpr std::array<std::string_view, 10> kBoundaries = {
    "if", "when", "because", "while", "and", "or", "before", "after", "wenn", "weil"};

// "What happens to a bag if it is lost?" says itself what "it" means.
bool is_explained_within(const Words& asked, std::size_t at, const Vocabulary& words) {
  std::size_t boundary = at;
  while (boundary > 0 && std::ranges::find(kBoundaries, asked[boundary].key) == kBoundaries.end()) {
    --boundary;
  }
  return std::ranges::any_of(phrases_of(asked, words), [&](const Phrase& phrase) {
    return phrase.end <= boundary && !phrase.asked && !phrase.time;
  });
}

// Whether a noun follows, so that "that" is not a pronoun: "that ship".
bool points_at_noun(const Words& asked, std::size_t at, const Vocabulary& words) {
  if (!holds(words.pointers, asked[at].key) || at + 1 >= asked.size()) return false;
  const Word& next = asked[at + 1];
  return !is_function_word(words, next.key) && !is_verb_form(words, next) && next.key != "extra";
}

Meant meaning_of(const Words& asked, std::size_t at, const Vocabulary& words) {
  const std::string& key = asked[at].key;
  if (key == "there" || key == "dort") return Meant::place;
  if (holds(words.persons, key)) return Meant::person;
  return holds(words.plurals, key) ? Meant::several : Meant::thing;
}

// "her" is a possessive before a noun only.
bool is_possessive(const Words& asked, std::size_t at, const Vocabulary& words) {
  if (!holds(words.possessives, asked[at].key)) return false;
  return at + 1 < asked.size() && !is_function_word(words, asked[at + 1].key);
}

// "Its length" becomes "the length of the Gannet".
WrittenOut possessive(const Words& asked, std::size_t at, const std::string& owner,
                      const Vocabulary& words) {
  std::size_t end = at + 1;
  while (end < asked.size() && !is_function_word(words, asked[end].key) &&
         !is_verb_form(words, asked[end])) {
    ++end;
  }
  const std::string noun = text_of(std::span(asked).subspan(at + 1, end - at - 1));
  std::string text = words.the == "the" ? "the " + noun : noun;
  text += " " + std::string(words.of_thing) + " " + owner;
  return {at, end, std::move(text)};
}

std::optional<WrittenOut> written_out(const Words& asked, std::size_t at,
                                      std::span<const Turn> earlier, const Vocabulary& words) {
  const std::string& key = asked[at].key;
  const bool is_number = key == "one" || key == "ones";
  const bool means_none = !is_pronoun(words, key) || is_number || is_empty_it(asked, at) ||
                          is_empty_there(asked, at, words) || begins_clause(asked, at, words) ||
                          is_explained_within(asked, at, words);
  if (means_none) return std::nullopt;
  const auto meant = antecedent(meaning_of(asked, at, words), earlier, words);
  if (!meant) return std::nullopt;
  if (is_possessive(asked, at, words)) return possessive(asked, at, *meant, words);
  std::string text = *meant;
  if (key == "there" || key == "dort") text = std::string(words.at_place) + " " + text;
  if (points_at_noun(asked, at, words)) {
    // "That ship" is the one of the conversation, but only a name can take its place.
    const Words name = words_of(text);
    const bool is_name = std::ranges::any_of(name, is_capital);
    if (!is_name) return std::nullopt;
    return WrittenOut{at, at + 2, std::move(text)};
  }
  return WrittenOut{at, at + 1, std::move(text)};
}

}  // namespace

std::optional<std::string> without_pronouns(const Words& asked, std::span<const Turn> earlier,
                                            const Vocabulary& words) {
  std::string text;
  bool changed = false;
  for (std::size_t i = 0; i < asked.size();) {
    const auto out = written_out(asked, i, earlier, words);
    const std::string part = out ? out->text : asked[i].text;
    text += (text.empty() ? "" : " ") + part;
    changed = changed || out.has_value();
    i = out ? out->end : i + 1;
  }
  if (!changed) return std::nullopt;
  return text;
}

}  // namespace fineprint::dialogue
