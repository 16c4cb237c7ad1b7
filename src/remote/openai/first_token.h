// The probabilities of given replies from those of the first token.
#pragma once

#include <span>
#include <string>

#include "fineprint/models/generator.h"

#include "remote/openai/reply_reader.h"

namespace fineprint::remote {

// A candidate is given the tokens that begin it and no other candidate (blanks before a token do
// not count). One that has none is impossible. Throws Error(model) when all are, or when tokens
// that begin several candidates have more than a hundredth of what the others have.
models::Choice choice_of_first_token(const TopTokens& top, std::span<const std::string> candidates);

}  // namespace fineprint::remote
