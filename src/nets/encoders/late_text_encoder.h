// Late interaction over texts: a short vector for every token of a query or passage.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "fineprint/models/checkpoint.h"
#include "fineprint/models/encoder.h"
#include "fineprint/models/model_spec.h"

#include "nets/encoders/bert.h"
#include "nets/weights/device.h"

namespace fineprint::nets {

// Sources: Khattab and Zaharia, "ColBERT" (2020), section 3.2; Santhanam et al., "ColBERTv2"
// (2022), section 3.1.
class LateTextEncoder final : public models::Encoder {
 public:
  LateTextEncoder(const models::ModelSpec& spec, const Device& device);

  std::string name() const override { return spec_.name; }
  std::string hash() const override { return checkpoint_->hash(); }
  std::size_t dim() const override { return static_cast<std::size_t>(spec_.head.projection); }
  bool many_vectors() const override { return true; }
  bool sees() const override { return false; }
  std::vector<Matrix> embed_images(std::span<const Image> pages) const override;
  // Passages lose their rows at punctuation; queries keep those of the fill.
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

  models::ModelSpec spec_;
  models::TextEncoder trunk_;
  Device device_;
  std::unique_ptr<tokenizer::Tokenizer> tokenizer_;
  std::shared_ptr<const models::Checkpoint> checkpoint_;
  std::unique_ptr<Bert> bert_;
  Linear projection_;
  std::int64_t query_marker_, passage_marker_, fill_;
  std::vector<std::int64_t> punctuation_;  // ids, sorted
};

}  // namespace fineprint::nets
