// Cross-encoders: question and passage are read together and give one score.
#pragma once

#include <memory>

#include "fineprint/models/checkpoint.h"
#include "fineprint/models/model_spec.h"
#include "fineprint/models/reranker.h"
#include "fineprint/tokenizer/tokenizer.h"

#include "nets/encoders/text_trunk.h"
#include "nets/layers/layers.h"
#include "nets/weights/device.h"

namespace fineprint::nets {

// A reranker of BERT's kind. Source: Nogueira and Cho, "Passage Re-ranking with BERT" (2019),
// section 2.2. Pairs are packed into batches in the same way as sentences (sentence_encoder.h).
class CrossEncoder final : public models::Reranker {
 public:
  // Throws Error(model) if the folder's files do not fit together or hold no cross-encoder.
  CrossEncoder(const models::ModelSpec& spec, const Device& device);

  std::string name() const override { return spec_.name; }
  std::string hash() const override { return checkpoint_->hash(); }
  // Returns the logistic function of each logit: 0 to 1.
  std::vector<double> score(const std::string& question,
                            std::span<const std::string> passages) const override;

  // The tokens of a pair as the trunk reads them: special tokens included, cut at the model's
  // limit.
  struct Pair {
    std::vector<std::int64_t> ids, types;  // [T]
  };
  Pair pair(const std::string& question, const std::string& passage) const;
  // Returns the model's raw score of each pair.
  std::vector<double> logits(std::span<const Pair> pairs) const;
  // Passes the hidden states of a pair to `tap`, for golden cases.
  void trace(const Pair& pair, const TextTrunk::Tap& tap) const;

 private:
  using Ids = std::vector<std::int64_t>;
  // The special tokens around the two texts, and the types of the texts' tokens.
  struct Frame {
    Pair begin, middle, end;
    std::int64_t first_type = 0, second_type = 0;
  };
  Frame find_frame() const;
  Ids ids_of(const std::string& text) const;
  Pair framed(Ids question, Ids passage) const;
  at::Tensor read_logits(const at::Tensor& hidden, const PackedTokens& tokens) const;

  models::ModelSpec spec_;
  TextTrunkFacts facts_;
  Device device_;
  std::unique_ptr<tokenizer::Tokenizer> tokenizer_;
  std::shared_ptr<const models::Checkpoint> checkpoint_;
  Frame frame_;
  std::unique_ptr<TextTrunk> trunk_;
  Linear dense_, last_;
  Norm norm_;
};

}  // namespace fineprint::nets
