// Opens the QA model for training: questions and passages in, scores with gradients out.
#pragma once

#include <memory>
#include <span>
#include <string>

#include <ATen/core/Tensor.h>

#include "fineprint/models/device.h"
#include "fineprint/models/model_spec.h"
#include "fineprint/models/qa_tokens.h"
#include "fineprint/nets/trained.h"

namespace fineprint::nets {

// The outputs for S sequences of T tokens together, in float32. models/qa_tokens.h says what
// each column means.
struct QaNumbers {
  at::Tensor passages;  // [S, kQaPassageNumbers]
  at::Tensor tokens;    // [T, kQaTokenNumbers]
};

// A QA model whose parameters are trained. Gradients flow into the tensors of `Trained`.
class TrainedQaModel {
 public:
  virtual ~TrainedQaModel() = default;
  // Returns the tokens of question and passage in the order in which the model reads them.
  virtual models::QaTokens lay_out(const std::string& question,
                                   const models::QaPassage& passage) const = 0;
  // Runs the model over `sequences`. It computes on the CPU, in the calling thread only, so that
  // several threads can each read their own sequences.
  virtual QaNumbers read(std::span<const models::QaTokens> sequences) const = 0;
  // Returns how many threads should call `read` at the same time.
  virtual int side_by_side() const = 0;
};

// Opens a QA model's folder for training, or a BERT encoder's folder that becomes a QA model. Heads
// that a BERT lacks start at random values drawn from `trained->seed`. Fills `trained->tensors`;
// `trained` must outlive the result. Weights that a QA model stores as 8-bit codes are widened to
// the numbers they encode. Throws Error(model) if the folder holds another kind of model, a GGUF
// file, or a BERT whose weights are codes.
std::unique_ptr<TrainedQaModel> open_trained_qa_model(const models::ModelSpec& spec,
                                                      const models::DeviceOptions& device,
                                                      Trained* trained);

}  // namespace fineprint::nets
