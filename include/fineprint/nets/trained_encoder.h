// An encoder that is trained: texts and pictures in, unit vectors with gradients out.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>

#include <ATen/core/Tensor.h>

#include "fineprint/core/image.h"
#include "fineprint/models/device.h"
#include "fineprint/models/embedder.h"
#include "fineprint/models/model_spec.h"
#include "fineprint/nets/trained.h"

namespace fineprint::nets {

// A text, or the name of a picture, which outlives it.
struct EncoderInput {
  const std::string* text = nullptr;
  const std::string* image = nullptr;
  models::TextRole role = models::TextRole::passage;
  std::int64_t most_tokens = 0;  // where texts are cut, what is written too; 0: the model's limit
  // Of a picture: the text that stands on it.
  const std::string* written = nullptr;
};

struct EncodedInputs {
  at::Tensor vectors;  // [n, d] of unit length in float32
  // Of each input with `written`: the mean over its tokens y of -log p(y | those before it, and the
  // token that the vector is made of). [of these]; undefined where there are none.
  at::Tensor surprise;
};

class TrainedEncoder {
 public:
  using Picture = std::function<Image(const std::string& name)>;

  virtual ~TrainedEncoder() = default;
  // How many tokens an input takes: exact for texts, about as many for pictures.
  virtual std::int64_t length(const EncoderInput& input) const = 0;
  // [n, d] of unit length in float32. Throws Error(usage) for a picture where the model sees none.
  virtual at::Tensor encode(std::span<const EncoderInput> inputs) const = 0;
  // The same, and how well the model writes the text of pictures when all that it sees of one is
  // the token that its vector is made of. Source: Tanaka et al., "VDocRAG" (2025), section 4.1.
  virtual EncodedInputs encode_and_write(std::span<const EncoderInput> inputs) const = 0;
  // Throws Error(model) for a model that cannot.
  virtual void require_writing() const = 0;
};

// `trained` takes the tensors that are trained, and outlives the encoder. Throws Error(model) for a
// model that gives no single vector or is no folder of plain weights, and Error(usage) for numbers
// that cannot be trained in and for targets that the model does not have.
std::unique_ptr<TrainedEncoder> open_trained_encoder(const models::ModelSpec& spec,
                                                     const models::DeviceOptions& device,
                                                     Trained* trained,
                                                     TrainedEncoder::Picture picture);

}  // namespace fineprint::nets
