// Finds the part of a question that a fragment replaces.
#include "dialogue/replacement.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "fineprint/core/text.h"
#include "fineprint/text/terms.h"

#include "dialogue/phrases.h"

namespace fineprint::dialogue {
namespace {

using WordSpan = std::span<const Word>;

// What was asked instead, taken apart.
struct Fragment {
  WordSpan content;  // without preposition and determiner
  std::string preposition = {}, determiner = {};
  bool time = false, year = false, named = false;
};

Fragment fragment_of(WordSpan instead, const Vocabulary& words) {
  Fragment fragment{.content = instead};
  const auto take_from = [&](WordList list, std::string* taken) {
    if (fragment.content.size() < 2 || !holds(list, fragment.content.front().key)) return;
    *taken = fragment.content.front().key;
    fragment.content = fragment.content.subspan(1);
  };
  take_from(words.prepositions, &fragment.preposition);
  take_from(words.determiners, &fragment.determiner);
  // "the one at the berth" differs from the last question in the berth only.
  const bool is_one = holds(words.things, fragment.content.front().key) ||
                      holds(words.pointers, fragment.content.front().key);
  if (is_one && fragment.content.size() > 2) {
    fragment.determiner.clear();
    fragment.content = fragment.content.subspan(1);
    take_from(words.prepositions, &fragment.preposition);
    take_from(words.determiners, &fragment.determiner);
  }
  const std::string& first = fragment.content.front().key;
  if (fragment.content.size() == 2 && (first == "year" || first == "jahr")) {
    fragment.content = fragment.content.subspan(1);
  }
  fragment.year = fragment.content.size() == 1 && is_bare_year(fragment.content.front().key);
  fragment.time = std::ranges::any_of(fragment.content,
                                      [&](const Word& word) { return is_time(words, word.key); });
  fragment.named = std::ranges::any_of(fragment.content, is_capital);
  return fragment;
}

std::string joined(WordSpan before, const std::string& middle, WordSpan after) {
  std::string text = text_of(before);
  for (const std::string& part : {middle, text_of(after)}) {
    if (!part.empty()) text += (text.empty() ? "" : " ") + part;
  }
  return text;
}

std::string replaced(const Words& question, std::size_t begin, std::size_t end,
                     const std::string& by) {
  const WordSpan all(question);
  return joined(all.first(begin), by, all.subspan(end));
}

std::optional<std::string> with_time(const Words& question, const std::vector<Phrase>& phrases,
                                     const Fragment& fragment) {
  for (std::size_t i = question.size(); fragment.year && i-- > 0;) {
    if (is_bare_year(question[i].key)) {
      return replaced(question, i, i + 1, text_of(fragment.content));
    }
  }
  for (auto phrase = phrases.rbegin(); !fragment.year && phrase != phrases.rend(); ++phrase) {
    if (phrase->time)
      return replaced(question, phrase->begin, phrase->end, text_of(fragment.content));
  }
  return std::nullopt;
}

bool shares_word(const Words& question, const Phrase& phrase, const Fragment& fragment) {
  for (std::size_t i = phrase.begin; i < phrase.end; ++i) {
    const std::string stem = text::stem(question[i].key);
    const bool is_shared = std::ranges::any_of(
        fragment.content, [&](const Word& word) { return text::stem(word.key) == stem; });
    if (is_shared) return true;
  }
  return false;
}

int kind_of_determiner(const std::string& determiner, const Vocabulary& words) {
  if (determiner.empty()) return 0;
  return holds(words.indefinites, determiner) ? 1 : 2;
}

int fit_of(const Words& question, const Phrase& phrase, const Fragment& fragment,
           const Vocabulary& words) {
  int fit = 0;
  if (shares_word(question, phrase, fragment)) fit += 8;
  if (!fragment.preposition.empty() && phrase.preposition == fragment.preposition) fit += 8;
  if (phrase.named == fragment.named) fit += 3;
  const bool same_kind = kind_of_determiner(phrase.determiner, words) ==
                         kind_of_determiner(fragment.determiner, words);
  if (same_kind) fit += 2;
  if (holds(words.places, phrase.preposition)) fit -= 1;
  // "per night" is a unit.
  const std::string& before = phrase.preposition;
  if (before == "per" || before == "pro" || before == "je") fit -= 3;
  const std::string& last = question[phrase.end - 1].key;
  const bool is_attribute = holds(words.attributes, last);
  if (is_attribute != holds(words.attributes, fragment.content.back().key)) fit -= 4;
  return fit;
}

// The last one if several fit best, because questions end with what they are about. What was asked
// for ("how many ducks") stays, unless a word of it comes again.
const Phrase* best_phrase(const Words& question, const std::vector<Phrase>& phrases,
                          const Fragment& fragment, const Vocabulary& words) {
  const Phrase* best = nullptr;
  int best_fit = 0;
  for (const Phrase& phrase : phrases) {
    const bool shares = shares_word(question, phrase, fragment);
    if (phrase.time || (phrase.asked && !shares)) continue;
    const bool is_other_place =
        !fragment.preposition.empty() && phrase.preposition != fragment.preposition && !shares;
    if (is_other_place) continue;
    const int fit = fit_of(question, phrase, fragment, words);
    if (best != nullptr && fit < best_fit) continue;
    best = &phrase;
    best_fit = fit;
  }
  return best;
}

// Only the name of a phrase is replaced: in "the Old Staithe gauge", the gauge stays.
std::pair<std::size_t, std::size_t> replaced_part(const Words& question, const Phrase& phrase,
                                                  const Fragment& fragment) {
  std::size_t end = phrase.end;
  if (phrase.named && fragment.named && !shares_word(question, phrase, fragment)) {
    while (end > phrase.begin + 1 && !is_capital(question[end - 1])) --end;
  }
  // "The reef that did not recover": the clause belongs to the replaced phrase.
  const bool is_described =
      end < question.size() && (question[end].key == "that" || question[end].key == "who");
  return {phrase.begin, is_described ? question.size() : end};
}

}  // namespace

std::string with_replaced(const Words& question, WordSpan instead, const Vocabulary& words) {
  const Fragment fragment = fragment_of(instead, words);
  const std::vector<Phrase> phrases = phrases_of(question, words);
  const std::string content = text_of(fragment.content);
  if (fragment.time) {
    if (auto text = with_time(question, phrases, fragment)) return *text;
    const bool is_bare = fragment.year && fragment.preposition.empty();
    return text_of(question) + " " +
           (is_bare ? std::string(words.in_year) + " " + content : text_of(instead));
  }
  const Phrase* phrase = best_phrase(question, phrases, fragment, words);
  if (phrase == nullptr) return text_of(question) + " " + text_of(instead);
  const auto [begin, end] = replaced_part(question, *phrase, fragment);
  // "a hotel" is replaced by "lunch", but "the Gannet" by "the Sula".
  const bool keeps = fragment.determiner.empty() && !holds(words.indefinites, phrase->determiner);
  const std::string by =
      fragment.determiner.empty() ? content : fragment.determiner + " " + content;
  const bool takes_determiner = !keeps && !phrase->determiner.empty();
  return replaced(question, takes_determiner ? begin - 1 : begin, end, by);
}

// A noun that was asked for stays in the question if a bare question word replaces it: "How many
// sailings were cancelled" and "Why" give "Why were sailings cancelled".
std::string with_asked(const Words& question, WordSpan asking, const Vocabulary& words) {
  const std::size_t end = end_of_asking(question, words);
  const WordSpan all(question);
  std::string noun;
  for (const Phrase& phrase : phrases_of(question, words)) {
    if (phrase.asked && asking.size() == 1) {
      noun = text_of(all.subspan(phrase.begin, phrase.end - phrase.begin));
    }
  }
  const bool has_auxiliary = end < question.size() && holds(words.auxiliaries, question[end].key);
  if (noun.empty() || !has_auxiliary) return joined(asking, "", all.subspan(end));
  std::string text = text_of(asking) + " " + question[end].text + " " + noun;
  if (end + 1 < question.size()) text += " " + text_of(all.subspan(end + 1));
  return text;
}

}  // namespace fineprint::dialogue
