// Checks token ids. The tokenizer and the weights of a folder can come from different models.
#include "nets/generation/vocabulary.h"

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

namespace fineprint::nets {

void check_token(std::int64_t id, std::int64_t vocab_size, const std::string& tokenizer_path) {
  if (id >= 0 && id < vocab_size) return;
  throw Error(ErrorCode::model,
              format("{}: the tokenizer gives token {}, but the model has only {} tokens",
                     tokenizer_path, id, vocab_size));
}

}  // namespace fineprint::nets
