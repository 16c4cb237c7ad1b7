// The QA model: reads a question and passages together and points at the answer.
#pragma once

#include <memory>

#include "fineprint/models/checkpoint.h"
#include "fineprint/models/model_spec.h"
#include "fineprint/models/qa_model.h"
#include "fineprint/models/qa_tokens.h"
#include "fineprint/tokenizer/tokenizer.h"

#include "nets/encoders/qa_net.h"
#include "nets/weights/device.h"

namespace fineprint::nets {

// A QA model with BERT as its trunk. Passages are packed into batches in the same way as sentences
// (sentence_encoder.h). The result for a passage does not depend on the others.
class BertQaModel final : public models::QaModel {
 public:
  // Throws Error(model) if the folder's files do not fit together or hold no QA model.
  BertQaModel(const models::ModelSpec& spec, const Device& device);

  std::string name() const override { return spec_.name; }
  std::string hash() const override { return checkpoint_->hash(); }
  std::vector<double> score(const std::string& question,
                            std::span<const std::string> passages) const override;
  std::vector<models::PassageReading> read(
      const std::string& question, std::span<const models::QaPassage> passages) const override;

 private:
  models::ModelSpec spec_;
  Device device_;
  std::unique_ptr<tokenizer::Tokenizer> tokenizer_;
  models::QaLayout layout_;
  std::shared_ptr<const models::Checkpoint> checkpoint_;
  std::unique_ptr<QaNet> net_;
};

}  // namespace fineprint::nets
