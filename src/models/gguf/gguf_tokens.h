// The tokenizer inside a GGUF file.
#pragma once

#include "fineprint/tensorfile/gguf.h"
#include "fineprint/tokenizer/listed_tokens.h"

namespace fineprint::models {

// Throws Error(model) naming the file and the key that is missing or of another kind.
tokenizer::ListedTokens listed_tokens(const tensorfile::GgufReader& reader);

}  // namespace fineprint::models
