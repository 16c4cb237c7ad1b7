// The tokens that a model knows.
#pragma once

#include <cstdint>
#include <string>

namespace fineprint::nets {

// Throws Error(model), naming the tokenizer's file, for an id that no row of the model's
// `vocab_size` embeddings belongs to.
void check_token(std::int64_t id, std::int64_t vocab_size, const std::string& tokenizer_path);

}  // namespace fineprint::nets
