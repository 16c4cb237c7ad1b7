// Opens a language model for training: requests and replies in, their losses with gradients out.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "fineprint/models/device.h"
#include "fineprint/models/generator.h"
#include "fineprint/models/model_spec.h"
#include "fineprint/nets/trained.h"

namespace fineprint::nets {

// A request and the reply that the model shall learn to give.
struct WantedReply {
  models::Request request;
  std::string reply;
};

// A generator whose parameters are trained. Gradients flow into the tensors of `Trained`. If the
// vision tower is not trained, the features of an image are kept under its name in Request::pages;
// equal names must mean equal pictures.
class TrainedGenerator {
 public:
  virtual ~TrainedGenerator() = default;
  // Returns the number of tokens of request and reply together.
  virtual std::int64_t length(const WantedReply& wanted) const = 0;
  // Returns the loss of each: the mean of -log p(y | request, tokens before y) over the reply's
  // tokens y, the end token included. Shape [n] in float32. For example, 0 means that the model
  // would certainly write this reply.
  virtual at::Tensor surprise(std::span<const WantedReply> wanted) const = 0;
  // Returns log p(first token | request) for the first token of each of `replies`: [replies]. This
  // compares short replies such as "yes" and "no" in one pass over the request.
  virtual at::Tensor log_odds(const models::Request& request,
                              std::span<const std::string> replies) const = 0;
};

// Opens the generator in the folder of `spec` for training. Fills `trained->tensors`; `trained`
// must outlive the generator. Throws Error(model) if the model writes no replies or is not a folder
// of plain weights. Throws Error(usage) if `device` names a number type that cannot be trained in,
// or if the model has no module that `trained->lora` targets.
std::unique_ptr<TrainedGenerator> open_trained_generator(const models::ModelSpec& spec,
                                                         const models::DeviceOptions& device,
                                                         Trained* trained);

}  // namespace fineprint::nets
