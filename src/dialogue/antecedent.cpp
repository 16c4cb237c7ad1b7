// Finds what pronouns mean in earlier turns.
#include "dialogue/antecedent.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "fineprint/core/format.h"

#include "dialogue/phrases.h"
#include "dialogue/words.h"

namespace fineprint::dialogue {
namespace {

constexpr std::size_t kLongestName = 6;  // words of an answer that is a name and little else

bool ends_sentence(const Word& word) {
  return word.text.ends_with('.') || word.text.ends_with(',') || word.text.ends_with(';') ||
         word.text.ends_with(':') || word.text.ends_with(')');
}

bool asks_for_person(const Words& question) {
  return !question.empty() && (question[0].key == "who" || question[0].key == "wer");
}

bool has_key(const Words& words, std::string_view key) {
  return std::ranges::find(words, key, &Word::key) != words.end();
}

// A run of words in upper case, from `begin`; "&" and numbers may be within it.
std::size_t end_of_run(const Words& answer, std::size_t begin, const Vocabulary& words) {
  std::size_t end = begin;
  for (std::size_t i = begin; i < answer.size(); ++i) {
    const bool joins = answer[i].text == "&" && i > begin;
    if (!joins && (!is_capital(answer[i]) || is_time(words, answer[i].key))) break;
    if (!joins) end = i + 1;
    if (ends_sentence(answer[i]) && !holds(words.titles, answer[i].key)) break;
  }
  return end;
}

// The run without the function words that only the beginning of a sentence puts in upper case.
std::string name_of_run(const Words& answer, std::size_t begin, std::size_t end,
                        const Vocabulary& words) {
  while (begin < end &&
         (is_function_word(words, answer[begin].key) || answer[begin].key == "our")) {
    ++begin;
  }
  std::string name = text_of(std::span(answer).subspan(begin, end - begin));
  while (!name.empty() && std::string_view(".,;:)").find(name.back()) != std::string_view::npos) {
    name.pop_back();
  }
  return name;
}

}  // namespace

std::optional<std::string> name_in_answer(const Turn& turn, bool whole, const Vocabulary& words) {
  const Words answer = words_of(turn.answer);
  const Words question = words_of(turn.question);
  if (whole && answer.size() > kLongestName) return std::nullopt;
  for (std::size_t i = 0; i < answer.size(); ++i) {
    const std::size_t end = end_of_run(answer, i, words);
    if (end == i) continue;
    std::string name = name_of_run(answer, i, end, words);
    const bool starts_sentence = i == 0 || ends_sentence(answer[i - 1]);
    const bool is_one_word = name.find(' ') == std::string::npos;
    // The first word of a sentence is in upper case whether it is a name or not.
    const bool is_unsure = starts_sentence && is_one_word && answer.size() > kLongestName;
    if (!name.empty() && !is_unsure && !has_key(question, words_of(name).front().key)) return name;
    i = end - 1;
  }
  return std::nullopt;
}

namespace {

// A phrase that a pronoun may mean, with how likely it is.
struct Referent {
  int likelihood = 0;
  std::string text;
};

bool is_person_name(const Words& name, std::span<const Turn> earlier, const Vocabulary& words) {
  if (name.empty()) return false;
  if (holds(words.titles, name.front().key)) return true;
  return std::ranges::any_of(earlier, [&](const Turn& turn) {
    if (!asks_for_person(words_of(turn.question))) return false;
    const auto answer = name_in_answer(turn, false, words);
    return answer && has_key(words_of(*answer), name.back().key);
  });
}

// The words of a phrase with its determiner. Price, length and the like are skipped if a phrase
// follows that says of what.
std::string referent_text(const Words& question, const std::vector<Phrase>& phrases,
                          std::size_t index, const Vocabulary& words) {
  std::size_t end = end_with_attached(question, phrases, index, words);
  // A clause that describes goes to the end of the question: "the reef that did not recover".
  const bool is_described =
      end < question.size() && (question[end].key == "that" || question[end].key == "who");
  if (is_described) end = question.size();
  const Phrase* phrase = &phrases[index];
  const bool is_attribute = holds(words.attributes, question[phrase->end - 1].key);
  if (is_attribute && end > phrase->end && phrases[index + 1].preposition == words.of_thing) {
    phrase = &phrases[index + 1];
  }
  std::string determiner = phrase->determiner;
  if (holds(words.indefinites, determiner) && words.the == "the") determiner = words.the;
  const std::string name = text_of(std::span(question).subspan(phrase->begin, end - phrase->begin));
  return determiner.empty() ? name : determiner + " " + name;
}

int likelihood_of(const Phrase& phrase, bool is_named, Meant meant, bool is_person,
                  const Vocabulary& words) {
  const bool is_place = holds(words.places, phrase.preposition);
  int likelihood = 0;
  if (is_named) likelihood += 2;
  if (is_place) likelihood += meant == Meant::place ? 3 : -2;
  if (!phrase.preposition.empty() && !is_place) likelihood -= 1;
  if (phrase.asked) likelihood += meant == Meant::several ? 3 : -3;
  const bool may_be_person = meant == Meant::person || meant == Meant::several;
  if (is_person) likelihood += may_be_person ? 4 : -9;
  return likelihood;
}

// A place without a name is a place only if the whole conversation names none (`takes_any`).
std::optional<std::string> in_question(Meant meant, const Turn& turn, std::span<const Turn> earlier,
                                       const Vocabulary& words, bool takes_any) {
  const Words question = words_of(turn.question);
  const std::vector<Phrase> phrases = phrases_of(question, words);
  std::optional<Referent> best;
  for (std::size_t i = 0; i < phrases.size(); ++i) {
    const Phrase& phrase = phrases[i];
    if (phrase.time) continue;
    const Words name(question.begin() + static_cast<std::ptrdiff_t>(phrase.begin),
                     question.begin() + static_cast<std::ptrdiff_t>(phrase.end));
    const bool is_person = is_person_name(name, earlier, words);
    if (meant == Meant::person && (!phrase.named || !phrase.preposition.empty())) continue;
    const auto attached = std::span(question).subspan(
        phrase.begin, end_with_attached(question, phrases, i, words) - phrase.begin);
    const bool is_named = phrase.named || std::ranges::any_of(attached.subspan(1), is_capital);
    if (meant == Meant::place && !is_named && !takes_any) continue;
    const int likelihood = likelihood_of(phrase, is_named, meant, is_person, words);
    if (likelihood < -4 || (best && likelihood <= best->likelihood)) continue;
    best = {likelihood, referent_text(question, phrases, i, words)};
  }
  if (!best) return std::nullopt;
  return best->text;
}

// What a question for a name says about it, if the answer does not name it: "the finance director",
// "the reef that did not recover".
std::optional<std::string> as_described(Meant meant, const Turn& turn, const Vocabulary& words) {
  const Words question = words_of(turn.question);
  if (words.the != "the" || question.size() < 3) return std::nullopt;
  const std::size_t end = end_of_asking(question, words);
  if (end == 0 || end >= question.size()) return std::nullopt;
  const std::string rest = text_of(std::span(question).subspan(end));
  const bool is_being = question[end].key == "is" || question[end].key == "was" ||
                        question[end].key == "are" || question[end].key == "were";
  if (asks_for_person(question) && (meant == Meant::person || meant == Meant::several)) {
    return is_being ? text_of(std::span(question).subspan(end + 1)) : "the one who " + rest;
  }
  const bool counts = holds(words.quantities, question[1].key);
  const std::size_t noun = counts ? 2 : 1;
  if (noun >= end || meant == Meant::person) return std::nullopt;
  const bool chooses = question[0].key == "which" && meant == Meant::thing;
  if (!chooses && !(counts && is_being && meant == Meant::several)) return std::nullopt;
  const std::string name = text_of(std::span(question).subspan(noun, end - noun));
  return format("the {} that {}", name, rest);
}

// A question for a name: "Who ...?", "Which reef ...?", and "What reef ...?", which may as well ask
// for a value.
std::optional<std::string> from_answer(Meant meant, const Turn& turn, const Vocabulary& words) {
  const Words question = words_of(turn.question);
  if (question.empty() || turn.answer.empty()) return std::nullopt;
  const std::string& first = question[0].key;
  if (asks_for_person(question)) {
    if (meant == Meant::thing || meant == Meant::place) return std::nullopt;
    return name_in_answer(turn, false, words);
  }
  const bool chooses = holds(words.choosing, first) && first != "what";
  if (chooses && end_of_asking(question, words) > 1) return name_in_answer(turn, false, words);
  if (first == "what") return name_in_answer(turn, true, words);
  const bool is_where = first == "where" || first == "wo";
  if (is_where && meant == Meant::place) return name_in_answer(turn, false, words);
  return std::nullopt;
}

}  // namespace

std::optional<std::string> antecedent(Meant meant, std::span<const Turn> earlier,
                                      const Vocabulary& words) {
  for (const bool takes_any : {false, true}) {
    for (auto turn = earlier.rbegin(); turn != earlier.rend(); ++turn) {
      if (auto name = from_answer(meant, *turn, words)) return name;
      if (auto description = as_described(meant, *turn, words)) return description;
      if (auto name = in_question(meant, *turn, earlier, words, takes_any)) return name;
    }
    if (meant != Meant::place) break;
  }
  return std::nullopt;
}

}  // namespace fineprint::dialogue
