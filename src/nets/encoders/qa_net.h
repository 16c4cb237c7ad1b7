// The QA model's network: BERT over question and passage, and the outputs on top.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>

#include "fineprint/models/qa_tokens.h"
#include "fineprint/nets/trained_qa_model.h"

#include "nets/encoders/text_trunk.h"
#include "nets/layers/layers.h"

namespace fineprint::nets {

// The network alone, both for answering and for training.
class QaNet {
 public:
  // `take` returns a tensor of models::qa_tensors by name, in the device's format.
  using Take = std::function<at::Tensor(const std::string& name)>;
  QaNet(const models::TextEncoder& encoder, std::unique_ptr<TextTrunk> trunk, const Take& take);

  // Returns the outputs for `sequences`. Runs on the calling thread. Gradients pass through if the
  // tensors require them.
  QaNumbers forward(std::span<const models::QaTokens> sequences) const;

 private:
  // Returns the numbers that attention adds for pairs of tokens, [layers, kinds, heads].
  at::Tensor relation_numbers() const;
  at::Tensor added(std::span<const models::QaTokens> sequences) const;

  std::unique_ptr<TextTrunk> trunk_;
  std::array<at::Tensor, models::kQaFeatures> features_;  // [rows, hidden] each
  at::Tensor relations_;                                  // [kinds, layers * heads]
  std::int64_t layers_, heads_;
  Linear dense_, last_, token_;
};

}  // namespace fineprint::nets
