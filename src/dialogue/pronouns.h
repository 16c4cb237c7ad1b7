// Writes out the pronouns of a question.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "fineprint/dialogue/follow_up.h"

#include "dialogue/vocabulary.h"
#include "dialogue/words.h"

namespace fineprint::dialogue {

// Returns the question with its pronouns replaced by what they mean in the conversation; nullopt if
// it has none, or if none has a meaning.
std::optional<std::string> without_pronouns(const Words& asked, std::span<const Turn> earlier,
                                            const Vocabulary& words);

}  // namespace fineprint::dialogue
