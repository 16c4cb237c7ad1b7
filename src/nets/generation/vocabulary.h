// Checks that a model has embeddings for the tokens that its tokenizer gives.
#pragma once

#include <cstdint>
#include <string>

namespace fineprint::nets {

// Throws Error(model) that names the tokenizer's file if `id` is outside the model's `vocab_size`
// embeddings.
void check_token(std::int64_t id, std::int64_t vocab_size, const std::string& tokenizer_path);

}  // namespace fineprint::nets
