// Opens an encoder for training: texts and pictures in, unit vectors with gradients out.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>

#include <ATen/core/Tensor.h>

#include "fineprint/core/image.h"
#include "fineprint/models/device.h"
#include "fineprint/models/model_spec.h"
#include "fineprint/models/text_only_encoder.h"
#include "fineprint/nets/trained.h"

namespace fineprint::nets {

// One input: a text or the name of a picture. The strings must outlive the input.
struct EncoderInput {
  const std::string* text = nullptr;   // set for a text
  const std::string* image = nullptr;  // set for a picture: the name that `Picture` is called with
  models::TextRole role = models::TextRole::passage;  // queries and passages get different prompts
  std::int64_t most_tokens = 0;  // limit of tokens for `text` and `written`; 0: the model's limit
  // For a picture: the text that is printed on it, if the model shall learn to write that text.
  const std::string* written = nullptr;
};

// What encode_and_write returns.
struct EncodedInputs {
  at::Tensor vectors;  // [n, d] of unit length in float32
  // For each input that has `written`, in input order: the mean over the text's tokens y of
  // -log p(y | the tokens before y, and the token whose state gives the vector). Shape: [number of
  // such inputs]. Undefined if there are none.
  at::Tensor surprise;
};

// An encoder whose parameters are trained. Gradients flow into the tensors of `Trained`.
class TrainedEncoder {
 public:
  // Returns the picture of a name. It is called whenever a picture is encoded, so that pictures
  // need not all stay in memory.
  using Picture = std::function<Image(const std::string& name)>;

  virtual ~TrainedEncoder() = default;
  // Returns the number of tokens of an input: exact for texts, an estimate for pictures.
  virtual std::int64_t length(const EncoderInput& input) const = 0;
  // Returns one vector of unit length for each input: [n, d] in float32. Throws Error(usage) for a
  // picture if the model takes no images.
  virtual at::Tensor encode(std::span<const EncoderInput> inputs) const = 0;
  // Does the same as encode, and also measures how well the model writes the text of pictures if it
  // sees only the token whose state gives a picture's vector. Training on both presses the page's
  // text into the vector. Source: Tanaka et al., "VDocRAG" (2025), section 4.1.
  virtual EncodedInputs encode_and_write(std::span<const EncoderInput> inputs) const = 0;
  // Throws Error(model) if the model cannot write text; call it before training with `written`.
  virtual void require_writing() const = 0;
};

// Opens the encoder in the folder of `spec` for training. Fills `trained->tensors`; `trained` must
// outlive the encoder. Throws Error(model) if the model does not give one vector for each input or
// is not a folder of plain weights. Throws Error(usage) if `device` names a number type that cannot
// be trained in, or if the model has no module that `trained->lora` targets.
std::unique_ptr<TrainedEncoder> open_trained_encoder(const models::ModelSpec& spec,
                                                     const models::DeviceOptions& device,
                                                     Trained* trained,
                                                     TrainedEncoder::Picture picture);

}  // namespace fineprint::nets
