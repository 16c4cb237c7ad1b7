// A text encoder: tokenizer, trunk and pooling behind the Embedder interface.
#pragma once

#include <memory>

#include "fineprint/models/checkpoint.h"
#include "fineprint/models/embedder.h"
#include "fineprint/models/model_spec.h"
#include "fineprint/models/retriever.h"

#include "nets/encoders/dense_stack.h"
#include "nets/encoders/text_trunk.h"
#include "nets/weights/device.h"

namespace fineprint::nets {

// Texts are sorted by length, packed into batches of about kTokensPerBatch tokens, and on the CPU
// the batches run side by side, one thread each: at these sizes that beats splitting every product
// over all threads, and no thread waits for another.
class SentenceEncoder final : public models::Embedder {
 public:
  // Throws Error(model) when the folder's files do not fit together.
  SentenceEncoder(const models::ModelSpec& spec, const Device& device);

  std::size_t dim() const override { return models::vector_width(spec_); }
  std::string name() const override { return spec_.name; }
  std::string hash() const override { return checkpoint_->hash(); }
  const tokenizer::Tokenizer& tokenizer() const override { return *tokenizer_; }
  Matrix embed(std::span<const std::string> texts, models::TextRole role) const override;
  // The hidden states of one text, for golden verification.
  void trace(const std::string& text, const TextTrunk::Tap& tap) const;
  // As the trunk reads it: cut at the model's limit, special tokens included.
  std::vector<std::int64_t> token_ids(const std::string& text) const;
  // The vectors of sequences of such tokens on the calling thread, [S, dim] on the device. What is
  // trained of them takes gradients.
  at::Tensor unit_vectors(const PackedTokens& tokens) const;
  const models::ModelSpec& spec() const { return spec_; }

 private:
  Matrix vectors(std::span<const std::string> texts, models::TextRole role) const;

  models::ModelSpec spec_;
  TextTrunkFacts facts_;
  Device device_;
  std::unique_ptr<tokenizer::Tokenizer> tokenizer_;
  std::shared_ptr<const models::Checkpoint> checkpoint_;
  std::unique_ptr<TextTrunk> trunk_;
  DenseStack dense_;
};

}  // namespace fineprint::nets
