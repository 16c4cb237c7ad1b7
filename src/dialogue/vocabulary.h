// The function words of a language, by what they do in a question.
#pragma once

#include <span>
#include <string_view>

#include "dialogue/words.h"

namespace fineprint::dialogue {

using WordList = std::span<const std::string_view>;

// The words that the rules know. All are in lower case.
struct Vocabulary {
  WordList leads;         // what a follow-up begins with: "and", "but"
  WordList abouts;        // before a thing that is asked about instead: "what about"
  WordList asking;        // "who", "when", "how"
  WordList choosing;      // those of `asking` before a noun: "which", "what"
  WordList quantities;    // after "how" and before a noun: "many"
  WordList auxiliaries;   // "is", "did", "can"
  WordList modals;        // auxiliaries after which a subject and a bare verb follow
  WordList determiners;   // "the", "a"
  WordList indefinites;   // "a", "an"
  WordList prepositions;  // "of", "in"
  WordList places;        // prepositions that may name a place
  WordList fillers;       // other words that are part of no phrase: "not", "i"
  WordList verbs;         // participles and predicates that do not show it by their ending
  WordList persons;       // pronouns for people
  WordList things;        // pronouns for things, or for both
  WordList possessives;   // pronouns before a noun: "its"
  WordList pointers;      // pronouns that may also be determiners: "that"
  WordList plurals;       // of all pronouns, the plural ones
  WordList attributes;    // nouns for what things have: "price", "length"
  WordList times;         // months, days of the week, seasons
  WordList titles;        // before the names of people: "mr"
  std::string_view in_year, of_thing, what_is, at_place, the;
};

// Returns the words of the language of these questions, English unless most of them are German.
const Vocabulary& vocabulary_for(const Words& asked, const Words& before);

bool holds(WordList list, std::string_view key);

// Returns whether the word belongs to no phrase: an auxiliary, a preposition, a pronoun and so on.
bool is_function_word(const Vocabulary& words, std::string_view key);
bool is_pronoun(const Vocabulary& words, std::string_view key);
// Returns whether the word says when: a year, a quarter, or one of `times`.
bool is_time(const Vocabulary& words, std::string_view key);
// Returns whether the word is a participle or predicate, by its ending or as a listed one.
bool is_verb_form(const Vocabulary& words, const Word& word);

}  // namespace fineprint::dialogue
