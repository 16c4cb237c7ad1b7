// A language model that is trained to reply: requests and replies in, how far they surprise it out.
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

// What is asked, and what is to be replied.
struct WantedReply {
  models::Request request;
  std::string reply;
};

class TrainedGenerator {
 public:
  virtual ~TrainedGenerator() = default;
  // How many tokens request and reply take.
  virtual std::int64_t length(const WantedReply& wanted) const = 0;
  // Of each: the mean over the tokens y of the reply, and the one that ends it, of
  // -log p(y | request, those before y). [n] in float32.
  virtual at::Tensor surprise(std::span<const WantedReply> wanted) const = 0;
  // log p(first token | request) of each of `replies`. [replies]
  virtual at::Tensor log_odds(const models::Request& request,
                              std::span<const std::string> replies) const = 0;
};

// `trained` takes the tensors that are trained, and outlives the generator. Throws Error(model) for
// a model that writes no replies or is no folder of plain weights, and Error(usage) for numbers
// that cannot be trained in and for targets that the model does not have.
std::unique_ptr<TrainedGenerator> open_trained_generator(const models::ModelSpec& spec,
                                                         const models::DeviceOptions& device,
                                                         Trained* trained);

}  // namespace fineprint::nets
