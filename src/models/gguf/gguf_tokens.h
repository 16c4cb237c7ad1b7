// Reads the tokenizer of a GGUF file.
#pragma once

#include "fineprint/tensorfile/gguf.h"
#include "fineprint/tokenizer/listed_tokens.h"

namespace fineprint::models {

// Returns its tokens. Throws Error(model) that names the file and the key that is missing or of
// another type.
tokenizer::ListedTokens listed_tokens(const tensorfile::GgufReader& reader);

}  // namespace fineprint::models
