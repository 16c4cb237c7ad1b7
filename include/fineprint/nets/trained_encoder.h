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
};

class TrainedEncoder {
 public:
  using Picture = std::function<Image(const std::string& name)>;

  virtual ~TrainedEncoder() = default;
  // How many tokens an input takes: exact for texts, about as many for pictures.
  virtual std::int64_t length(const EncoderInput& input) const = 0;
  // [n, d] of unit length in float32. Throws Error(usage) for a picture where the model sees none.
  virtual at::Tensor encode(std::span<const EncoderInput> inputs) const = 0;
};

// `trained` takes the tensors that are trained, and outlives the encoder. Throws Error(model) for a
// model that gives no single vector or is no folder of plain weights, and Error(usage) for numbers
// that cannot be trained in and for targets that the model does not have.
std::unique_ptr<TrainedEncoder> open_trained_encoder(const models::ModelSpec& spec,
                                                     const models::DeviceOptions& device,
                                                     Trained* trained,
                                                     TrainedEncoder::Picture picture);

}  // namespace fineprint::nets
