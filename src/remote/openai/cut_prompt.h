// Notices servers that cut prompts without saying so.
#pragma once

#include <cstdint>

#include "fineprint/models/generator.h"

namespace fineprint::remote {

// Returns a number of tokens that the texts of a request have at least: no tokenizer in use joins
// words that a blank separates, so each word of ASCII letters or digits is a token of its own.
std::int64_t least_tokens(const models::Request& request);

// Returns whether the server reports fewer tokens of the prompt than it must have. Servers with a
// small window (Ollama's default is 4,096 tokens) drop the beginning or the middle of a longer
// prompt. A server that reports no number is trusted.
bool was_cut(const models::Request& request, const models::Reply& reply);

}  // namespace fineprint::remote
