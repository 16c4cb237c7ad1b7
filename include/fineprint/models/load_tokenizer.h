// Loads the tokenizer of a model from whichever file holds it.
#pragma once

#include <memory>
#include <string>

#include "fineprint/tokenizer/tokenizer.h"

namespace fineprint::models {

// Loads ModelSpec::tokenizer_path: a tokenizer.json, or a GGUF file that contains the tokens.
// Throws Error(model) that names the file and the component that cannot be used.
std::unique_ptr<tokenizer::Tokenizer> load_tokenizer(const std::string& path);

}  // namespace fineprint::models
