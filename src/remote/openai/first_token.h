// Derives the probabilities of given replies from those of the first token.
#pragma once

#include <span>
#include <string>

#include "fineprint/models/generator.h"

#include "remote/openai/reply_reader.h"

namespace fineprint::remote {

// A candidate gets the tokens that begin it and no other candidate; blanks before a token are
// ignored. For example, of "yes" and "no", "yes" gets the tokens "yes", "ye" and " y". A candidate
// without any token is impossible. Throws Error(model) if all candidates are, or if tokens that
// begin several candidates have more than a hundredth of the probability of the others.
models::Choice choice_of_first_token(const TopTokens& top, std::span<const std::string> candidates);

}  // namespace fineprint::remote
