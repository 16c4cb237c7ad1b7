// Sparse encoders of texts: a weight for every token of the vocabulary.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "fineprint/models/checkpoint.h"
#include "fineprint/models/encoder.h"
#include "fineprint/models/model_spec.h"
#include "fineprint/models/retriever.h"

#include "nets/encoders/text_trunk.h"
#include "nets/encoders/vocabulary_net.h"
#include "nets/weights/device.h"

namespace fineprint::nets {

// Sources: see models::VocabularyHead. Each text gives a matrix of two columns: the tokens whose
// weight is not 0, ascending, and their weights.
class SparseEncoder final : public models::Encoder {
 public:
  // Throws Error(model) if the folder's files do not fit together or give no weights of tokens.
  SparseEncoder(const models::ModelSpec& spec, const Device& device);

  std::string name() const override { return spec_.name; }
  std::string hash() const override { return checkpoint_->hash(); }
  std::size_t dim() const override { return models::vector_width(spec_); }
  bool many_vectors() const override { return true; }
  bool sees() const override { return false; }
  std::vector<Matrix> embed_images(std::span<const Image> pages) const override;
  std::vector<Matrix> embed_texts(std::span<const std::string> texts,
                                  models::TextRole role) const override;
  // Returns the tokens of a text as the trunk reads them, cut at the model's limit. A question
  // whose tokens have fixed weights gets no special tokens.
  std::vector<std::int64_t> token_ids(const std::string& text, models::TextRole role) const;
  // Returns the weights of all tokens of the vocabulary, [vocabulary], of such a text.
  at::Tensor weights_of(const std::vector<std::int64_t>& ids, models::TextRole role) const;

 private:
  models::ModelSpec spec_;
  TextTrunkFacts facts_;
  Device device_;
  std::unique_ptr<tokenizer::Tokenizer> tokenizer_;
  std::shared_ptr<const models::Checkpoint> checkpoint_;
  std::unique_ptr<TextTrunk> trunk_;
  // Set by the constructor.
  std::optional<VocabularyNet> head_;
  std::optional<QuestionWeights> questions_;
};

}  // namespace fineprint::nets
