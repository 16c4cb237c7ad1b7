// The phrases of a question that a follow-up may refer to or replace.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "dialogue/vocabulary.h"
#include "dialogue/words.h"

namespace fineprint::dialogue {

// Words that name something: "the Storm Petrel" in "When was the Storm Petrel built?".
struct Phrase {
  std::size_t start = 0;      // with preposition and determiner
  std::size_t begin = 0;      // without them
  std::size_t end = 0;        // one past the last word
  std::string preposition{};  // before the phrase, or empty
  std::string determiner{};   // or empty
  bool asked = false;         // the thing asked for: "passengers" in "How many passengers ..."
  bool time = false;          // says when
  bool named = false;         // has a word in upper case
};

// Returns the phrases of a question, in their order. Verbs are left out as far as their ending, a
// list or their position shows them.
std::vector<Phrase> phrases_of(const Words& question, const Vocabulary& words);

// Returns where the words end that ask: 3 for "How many passengers can the Gannet carry?". 0 if the
// question does not begin with a question word, after a preposition at most.
std::size_t end_of_asking(const Words& question, const Vocabulary& words);

// Returns the end of the phrase with the phrases that a preposition attaches to it directly: all of
// "the loan of the company".
std::size_t end_with_attached(const Words& question, const std::vector<Phrase>& phrases,
                              std::size_t index, const Vocabulary& words);

}  // namespace fineprint::dialogue
