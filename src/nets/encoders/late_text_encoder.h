// Late interaction over texts: a short vector for every token of a query or passage.
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

// Sources: Khattab and Zaharia, "ColBERT" (2020), section 3.2; Santhanam et al., "ColBERTv2"
// (2022), section 3.1; for models with layers behind the trunk Chaffin and Sourty, "PyLate" (2025).
class LateTextEncoder final : public models::Encoder {
 public:
  LateTextEncoder(const models::ModelSpec& spec, const Device& device);

  std::string name() const override { return spec_.name; }
  std::string hash() const override { return checkpoint_->hash(); }
  std::size_t dim() const override { return models::vector_width(spec_); }
  bool many_vectors() const override { return true; }
  bool sees() const override { return false; }
  std::vector<Matrix> embed_images(std::span<const Image> pages) const override;
  // Passages lose their rows at punctuation, or at the tokens that the model names; queries keep
  // those of the fill.
  std::vector<Matrix> embed_texts(std::span<const std::string> texts,
                                  models::TextRole role) const override;

  // One text as the trunk reads it.
  struct Tokens {
    std::vector<std::int64_t> ids;
    std::int64_t attended = 0;          // at the beginning
    std::vector<std::uint8_t> is_kept;  // whose vectors count
  };
  Tokens tokens(const std::string& text, models::TextRole role) const;
  // A row a token, also for those that are not kept.
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
  Linear projection_;  // or
  DenseStack dense_;
  std::optional<std::int64_t> query_marker_, passage_marker_;
  std::int64_t fill_ = 0;
  std::vector<std::int64_t> skipped_;  // ids, sorted
};

}  // namespace fineprint::nets
