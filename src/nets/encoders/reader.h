// Readers: a question and passages read together, and where in them the answer stands.
#pragma once

#include <memory>

#include "fineprint/models/checkpoint.h"
#include "fineprint/models/model_spec.h"
#include "fineprint/models/reader.h"
#include "fineprint/models/reader_tokens.h"
#include "fineprint/tokenizer/tokenizer.h"

#include "nets/encoders/reader_net.h"
#include "nets/weights/device.h"

namespace fineprint::nets {

// Passages are packed into batches as sentences are (sentence_encoder.h); what is read in one does
// not depend on the others.
class BertReader final : public models::Reader {
 public:
  // Throws Error(model) when the folder's files do not fit together.
  BertReader(const models::ModelSpec& spec, const Device& device);

  std::string name() const override { return spec_.name; }
  std::string hash() const override { return checkpoint_->hash(); }
  std::vector<double> score(const std::string& question,
                            std::span<const std::string> passages) const override;
  std::vector<models::PassageReading> read(
      const std::string& question, std::span<const models::ReaderPassage> passages) const override;

 private:
  models::ModelSpec spec_;
  Device device_;
  std::unique_ptr<tokenizer::Tokenizer> tokenizer_;
  models::ReaderLayout layout_;
  std::shared_ptr<const models::Checkpoint> checkpoint_;
  std::unique_ptr<ReaderNet> net_;
};

}  // namespace fineprint::nets
