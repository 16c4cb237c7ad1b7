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

}  // namespace fineprint::pipelines::investigate
