// What the pronouns of a follow-up mean.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "fineprint/dialogue/follow_up.h"

#include "dialogue/vocabulary.h"

namespace fineprint::dialogue {

enum class Meant { person, thing, several, place };

// Returns the words that a pronoun of this kind stands for, from the last turn that has some: the
// name that answered a question for one ("Which reef ...?"), else what the question was about.
std::optional<std::string> antecedent(Meant meant, std::span<const Turn> earlier,
                                      const Vocabulary& words);

// Returns the first name in an answer that is not in the question; nullopt if it has none. If
// `whole`, only an answer that is a name and little else counts.
std::optional<std::string> name_in_answer(const Turn& turn, bool whole, const Vocabulary& words);

}  // namespace fineprint::dialogue
