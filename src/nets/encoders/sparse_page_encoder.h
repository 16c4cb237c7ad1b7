// Sparse encoders of page images: a weight for every token of the vocabulary.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "fineprint/models/checkpoint.h"
#include "fineprint/models/encoder.h"
#include "fineprint/models/model_spec.h"
#include "fineprint/models/retriever.h"

#include "nets/encoders/vocabulary_net.h"
#include "nets/multimodal.h"

namespace fineprint::nets {

// The network that reads pages, with its head.
struct PageWeigher {
  PageWeigher(const models::ModelSpec& spec, const Device& device,
              std::shared_ptr<const models::Checkpoint> checkpoint);

  // Returns the tokens of a page's prompt, and the weights of all tokens of the vocabulary,
  // [vocabulary] in float32. Needs a `Running` that is alive.
  models::TokenSequence tokens_of(const preprocess::PixelInput& page) const;
  at::Tensor weights_of(const preprocess::PixelInput& page) const;

  Multimodal model;
  std::optional<VocabularyNet> head;
};

// Sources: see models::VocabularyHead. Each page or text gives a matrix of two columns: the tokens
// whose weight is not 0, ascending, and their weights. Questions need no network, so it is loaded
// when the first page or passage is read.
class SparsePageEncoder final : public models::Encoder {
 public:
  // Throws Error(model) if the folder's files do not fit together.
  SparsePageEncoder(const models::ModelSpec& spec, const Device& device);

  std::string name() const override { return spec_.name; }
  std::string hash() const override { return checkpoint_->hash(); }
  std::size_t dim() const override { return models::vector_width(spec_); }
  bool many_vectors() const override { return true; }
  bool sees() const override { return true; }
  std::vector<Matrix> embed_images(std::span<const Image> pages) const override;
  std::vector<Matrix> embed_texts(std::span<const std::string> texts,
                                  models::TextRole role) const override;
  // Returns the weights of all tokens of the vocabulary for a question, [vocabulary].
  at::Tensor question_weights(const std::string& text) const;
  const PageWeigher& pages() const;

 private:
  models::ModelSpec spec_;
  Device device_;
  std::unique_ptr<tokenizer::Tokenizer> tokenizer_;
  std::shared_ptr<const models::Checkpoint> checkpoint_;
  std::optional<QuestionWeights> questions_;  // set by the constructor
  mutable std::once_flag loaded_;
  mutable std::unique_ptr<const PageWeigher> pages_;
};

}  // namespace fineprint::nets
