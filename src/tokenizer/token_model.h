// What every model of the tokenizers format does: pieces of text into tokens.
#pragma once

#include <string_view>
#include <vector>

#include "tokenizer/normal_text.h"
#include "tokenizer/vocabulary.h"

namespace fineprint::tokenizer {

// A token and the bytes of the normalized text that it stands for.
struct ModelToken {
  std::int32_t id = 0;
  Range range;
};

// Immutable, safe to share.
class TokenModel {
 public:
  virtual ~TokenModel() = default;
  // Appends the tokens of each piece; no token crosses from one piece into the next.
  virtual void tokenize(std::string_view text, const std::vector<Range>& pieces,
                        std::vector<ModelToken>* out) const = 0;
  virtual const Vocabulary& vocabulary() const = 0;
};

}  // namespace fineprint::tokenizer
