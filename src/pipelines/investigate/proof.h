// Compares answers with what was read, without a model.
#pragma once

#include <string>
#include <vector>

#include "fineprint/agents/answer.h"

namespace fineprint::pipelines::investigate {

// Returns whether a text holds more than half of an answer's words and all of its numbers. A text
// that is not empty holds a verdict such as "Yes", which has no words of its own.
bool holds_answer(const std::string& text, const std::string& answer);

// Returns at most two sentences or rows of the passage, the ones that share most terms with
// `asked`, in their order; none that shares no term, and no second one that shares a single term.
std::vector<std::string> telling_parts(const agents::ChunkShown& passage, const std::string& asked);

// Returns the words of an English question, apart from words that only ask ("when"), whose terms a
// text lacks, in their order.
std::vector<std::string> words_not_in(const std::string& text, const std::string& question);

// Returns the names in some words that a text lacks.
std::vector<std::string> new_names(const std::string& text, const std::string& words);

// Returns words to search for if a text answers only a part of the question: up to three names in
// it that the question does not have, then the words of the question that it lacks. For example,
// for "When was the director of Blue Harbour born?" and "Blue Harbour was directed by Ann Lee."
// returns "Ann Lee director born". Empty if the text lacks no word.
std::string bridging_words(const std::string& text, const std::string& question);

}  // namespace fineprint::pipelines::investigate
