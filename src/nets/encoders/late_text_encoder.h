// Late interaction over texts: one short vector for every token of a query or passage.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "fineprint/models/checkpoint.h"
#include "fineprint/models/encoder.h"
#include "fineprint/models/model_spec.h"
#include "fineprint/models/retriever.h"

#include "nets/encoders/dense_stack.h"
#include "nets/encoders/text_trunk.h"
#include "nets/weights/device.h"

namespace fineprint::nets {

// A text encoder that gives a vector for each token. Sources: Khattab and Zaharia, "ColBERT"
// (2020), section 3.2; Santhanam et al., "ColBERTv2" (2022), section 3.1; for models with layers
// after the trunk, Chaffin and Sourty, "PyLate" (2025).
class LateTextEncoder final : public models::Encoder {
 public:
  // Throws Error(model) if the folder's files do not fit together or give no vectors of tokens.
  LateTextEncoder(const models::ModelSpec& spec, const Device& device);

  std::string name() const override { return spec_.name; }
  std::string hash() const override { return checkpoint_->hash(); }
  std::size_t dim() const override { return models::vector_width(spec_); }
  bool many_vectors() const override { return true; }
  bool sees() const override { return false; }
  std::vector<Matrix> embed_images(std::span<const Image> pages) const override;
  // Returns one matrix for each text. Passages lose the rows of punctuation, or of the tokens that
  // the model lists; queries keep the rows of their fill.
  std::vector<Matrix> embed_texts(std::span<const std::string> texts,
                                  models::TextRole role) const override;

  // The tokens of one text as the trunk reads it.
  struct Tokens {
    std::vector<std::int64_t> ids;
    std::int64_t attended = 0;          // tokens at the beginning that others attend to
    std::vector<std::uint8_t> is_kept;  // 1 for tokens whose vectors are kept
  };
  Tokens tokens(const std::string& text, models::TextRole role) const;
  // Returns a row for each token, including skipped ones.
  Matrix vectors(const Tokens& tokens) const;

 private:
  Tokens query_tokens(std::vector<std::int64_t> ids) const;
  Tokens passage_tokens(std::vector<std::int64_t> ids) const;
  std::vector<Matrix> kept_vectors(std::span<const std::string> texts, models::TextRole role) const;
  std::int64_t special_id(const std::string& token) const;
  std::optional<std::int64_t> marker_id(const std::string& token) const;
  void find_skipped();

  models::ModelSpec spec_;
  TextTrunkFacts facts_;
  Device device_;
  std::unique_ptr<tokenizer::Tokenizer> tokenizer_;
  std::shared_ptr<const models::Checkpoint> checkpoint_;
  std::unique_ptr<TextTrunk> trunk_;
  Linear projection_;  // or dense_
  DenseStack dense_;
  std::optional<std::int64_t> query_marker_, passage_marker_;
  std::int64_t fill_ = 0;
  std::vector<std::int64_t> skipped_;  // ids, sorted
};

}  // namespace fineprint::nets
