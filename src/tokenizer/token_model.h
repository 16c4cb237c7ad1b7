// The interface of the models of the tokenizers format, which turn pieces of text into tokens.
#pragma once

#include <string_view>
#include <vector>

#include "tokenizer/normal_text.h"
#include "tokenizer/vocabulary.h"

namespace fineprint::tokenizer {

// A token and the bytes of the normalized text that it covers.
struct ModelToken {
  std::int32_t id = 0;
  Range range;
};

// Immutable and thread-safe.
class TokenModel {
 public:
  virtual ~TokenModel() = default;
  // Appends the tokens of each piece. No token covers parts of two pieces.
  virtual void tokenize(std::string_view text, const std::vector<Range>& pieces,
                        std::vector<ModelToken>* out) const = 0;
  virtual const Vocabulary& vocabulary() const = 0;
};

}  // namespace fineprint::tokenizer
