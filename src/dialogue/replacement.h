// Asks the last question again with one part of it replaced.
#pragma once

#include <span>
#include <string>

#include "dialogue/vocabulary.h"
#include "dialogue/words.h"

namespace fineprint::dialogue {

// Returns the question with the phrase that `instead` is most like replaced: the one after the same
// preposition, with a word in common, of the same case. If it is like none, it is put at the end.
std::string with_replaced(const Words& question, std::span<const Word> instead,
                          const Vocabulary& words);

// Returns the question with the words that ask replaced: "Where" and "When is the meeting" give
// "Where is the meeting".
std::string with_asked(const Words& question, std::span<const Word> asking,
                       const Vocabulary& words);

}  // namespace fineprint::dialogue
