// A text encoder: implements TextOnlyEncoder with a tokenizer, a trunk and pooling.
#pragma once

#include <memory>

#include "fineprint/models/checkpoint.h"
#include "fineprint/models/model_spec.h"
#include "fineprint/models/retriever.h"
#include "fineprint/models/text_only_encoder.h"

#include "nets/encoders/dense_stack.h"
#include "nets/encoders/text_trunk.h"
#include "nets/weights/device.h"

namespace fineprint::nets {

// Sorts texts by length and packs them into batches of about kTokensPerBatch tokens. On the CPU,
// batches run in parallel with one thread each. At these sizes this is faster than splitting every
// product over all threads, because no thread waits for another.
class SentenceEncoder final : public models::TextOnlyEncoder {
 public:
  // Throws Error(model) if the folder's files do not fit together.
  SentenceEncoder(const models::ModelSpec& spec, const Device& device);

  std::size_t dim() const override { return models::vector_width(spec_); }
  std::string name() const override { return spec_.name; }
  std::string hash() const override { return checkpoint_->hash(); }
  const tokenizer::Tokenizer& tokenizer() const override { return *tokenizer_; }
  Matrix embed(std::span<const std::string> texts, models::TextRole role) const override;
  // Passes the hidden states of one text to `tap`, for golden cases.
  void trace(const std::string& text, const TextTrunk::Tap& tap) const;
  // Returns the tokens of a text as the trunk reads them: special tokens included, cut at the
  // model's limit.
  std::vector<std::int64_t> token_ids(const std::string& text) const;
  // Returns the vectors of sequences of such tokens, [S, dim] on the device. Runs on the calling
  // thread. Gradients pass through if parameters are trained.
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
