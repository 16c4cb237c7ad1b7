// A reader that is trained: questions and passages in, numbers with gradients out.
#pragma once

#include <memory>
#include <span>
#include <string>

#include <ATen/core/Tensor.h>

#include "fineprint/models/device.h"
#include "fineprint/models/model_spec.h"
#include "fineprint/models/reader_tokens.h"
#include "fineprint/nets/trained.h"

namespace fineprint::nets {

// Of S sequences of T tokens together, in float32; models/reader_tokens.h says what each number is.
struct ReaderNumbers {
  at::Tensor passages;  // [S, kReaderPassageNumbers]
  at::Tensor tokens;    // [T, kReaderTokenNumbers]
};

class TrainedReader {
 public:
  virtual ~TrainedReader() = default;
  virtual models::ReaderTokens lay_out(const std::string& question,
                                       const models::ReaderPassage& passage) const = 0;
  // On the CPU by the calling thread alone.
  virtual ReaderNumbers read(std::span<const models::ReaderTokens> sequences) const = 0;
  // How many threads had best read, each other sequences.
  virtual int side_by_side() const = 0;
};

// Of a reader's folder, or of a BERT that becomes one: what it lacks begins at random, as
// `trained->seed` has it. `trained` takes the tensors that are trained, and outlives the reader.
// A reader's codes of 8 bits are widened to what they stand for.
// Throws Error(model) for another model, a GGUF file, and a BERT whose weights are codes.
std::unique_ptr<TrainedReader> open_trained_reader(const models::ModelSpec& spec,
                                                   const models::DeviceOptions& device,
                                                   Trained* trained);

}  // namespace fineprint::nets
