// The tokenizer of a model, whichever file it lies in.
#pragma once

#include <memory>
#include <string>

#include "fineprint/tokenizer/tokenizer.h"

namespace fineprint::models {

// Of ModelSpec::tokenizer_path: a tokenizer.json, or a GGUF file that has the tokens in it. Throws
// Error(model) naming the file and what of it cannot be used.
std::unique_ptr<tokenizer::Tokenizer> load_tokenizer(const std::string& path);

}  // namespace fineprint::models
