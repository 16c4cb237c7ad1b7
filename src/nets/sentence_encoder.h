// A text encoder: tokenizer, BERT and pooling behind the Embedder interface.
#pragma once

#include <memory>
#include <mutex>

#include "fineprint/models/embedder.h"
#include "fineprint/models/folder.h"

#include "nets/bert.h"

namespace fineprint::nets {

// Texts are sorted by length, packed into batches of about kTokensPerBatch tokens, and the batches
// run side by side, one thread each: at these sizes that beats splitting every product over all
// threads, and no thread waits for another.
class SentenceEncoder final : public models::Embedder {
 public:
  // Throws Error(model) when the folder's files do not fit together.
  SentenceEncoder(const models::SentenceEncoderFacts& facts, const models::DeviceOptions& options);

  std::size_t dim() const override { return static_cast<std::size_t>(facts_.hidden); }
  std::string name() const override { return facts_.name; }
  std::string hash() const override;
  const text::Tokenizer& tokenizer() const override { return *tokenizer_; }
  Matrix embed(std::span<const std::string> texts, models::TextRole role) const override;

 private:
  std::vector<std::int64_t> token_ids(const std::string& text) const;
  at::Tensor pool(const at::Tensor& hidden, const PackedTokens& tokens) const;

  models::SentenceEncoderFacts facts_;
  int threads_;
  std::unique_ptr<text::Tokenizer> tokenizer_;
  std::unique_ptr<Bert> bert_;
  mutable std::once_flag hash_once_;
  mutable std::string hash_;
};

}  // namespace fineprint::nets
