// The head of sparse encoders: a weight for every token of the vocabulary.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fineprint/core/matrix.h"
#include "fineprint/models/model_spec.h"
#include "fineprint/tokenizer/tokenizer.h"

#include "nets/layers/layers.h"

namespace fineprint::nets {

// Returns the tokens that are not 0, ascending, and their weights, for [vocabulary] on the CPU.
Matrix entries_of(const at::Tensor& weights);

// Returns [vocabulary] in float32: 0 for the tokens that never count, else 1.
at::Tensor counted_tokens(const models::ModelSpec& spec, const tokenizer::Tokenizer& tokenizer);

// Weighs tokens by the last hidden states of a text or page. Sources: see models::VocabularyHead.
class VocabularyNet {
 public:
  VocabularyNet(const models::ModelSpec& spec, const Weights& weights,
                const tokenizer::Tokenizer& tokenizer);

  // Returns the weights of all tokens, [vocabulary] in float32 on the CPU, for states [T, hidden].
  at::Tensor weights_of(const at::Tensor& hidden) const;

 private:
  models::VocabularyHead spec_;
  Linear dense_, rows_;  // `rows_` multiplies with the rows of tokens
  Norm norm_;
  at::Tensor counted_;  // see counted_tokens
};

// Weighs the tokens of questions without a network.
class QuestionWeights {
 public:
  // Throws Error(model) if a weight is no number.
  QuestionWeights(const models::ModelSpec& spec, const Weights& weights,
                  const tokenizer::Tokenizer& tokenizer);

  // Returns false if the model reads questions as it reads passages.
  bool known() const { return table_.defined(); }
  // Returns the weights of all tokens, [vocabulary], for the tokens of a question. Those outside
  // the vocabulary do not count.
  at::Tensor weights_of(const std::vector<std::int64_t>& ids) const;

 private:
  bool repeats_ = false;  // a token counts as often as it occurs
  at::Tensor table_;      // [vocabulary] in float32 on the CPU, or undefined
};

}  // namespace fineprint::nets
