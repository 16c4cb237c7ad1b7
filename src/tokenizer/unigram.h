// The Unigram model: splits a text into the pieces that are most likely together.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tokenizer/token_model.h"

namespace fineprint::tokenizer {

// Source: Kudo, "Subword Regularization" (2018), section 3.1. A character without a piece is scored
// 10 below the lowest score, as in SentencePiece.
class Unigram : public TokenModel {
 public:
  // `scores` are log probabilities of the entries of `vocabulary`, by id. `unknown` is the id for
  // characters without a piece; neighbouring ones become one token.
  Unigram(Vocabulary vocabulary, std::vector<double> scores, std::int32_t unknown);
  Unigram(const Unigram&) = delete;  // ids_ points into vocabulary_
  Unigram& operator=(const Unigram&) = delete;

  void tokenize(std::string_view text, const std::vector<Range>& pieces,
                std::vector<ModelToken>* out) const override;
  const Vocabulary& vocabulary() const override { return vocabulary_; }

 private:
  void cut(std::string_view text, Range piece, std::vector<ModelToken>* out) const;

  Vocabulary vocabulary_;
  std::vector<double> scores_;  // by id
  std::int32_t unknown_ = -1;
  std::unordered_map<std::string_view, std::int32_t> ids_;  // pieces that may be used
  std::size_t longest_ = 0;                                 // in bytes
  double unknown_score_ = 0;
};

}  // namespace fineprint::tokenizer
