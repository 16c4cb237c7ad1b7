// The tokens of a text as a sentence encoder reads them. Does not use LibTorch.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fineprint/models/model_spec.h"
#include "fineprint/tokenizer/tokenizer.h"

namespace fineprint::nets {

// Returns the ids of a text: special tokens included, cut at the model's limit. Throws Error(model)
// if an id is not below `vocab_size`.
std::vector<std::int64_t> sentence_tokens(const models::ModelSpec& spec,
                                          const tokenizer::Tokenizer& tokenizer,
                                          std::int64_t vocab_size, const std::string& text);

// Throws Error(model) if the model needs lower-cased texts but its tokenizer keeps capitals. The
// tokenizer's file decides about capitals, so a contradiction would only show as bad vectors.
void check_letter_case(const models::ModelSpec& spec, const tokenizer::Tokenizer& tokenizer);

}  // namespace fineprint::nets
