// Finds and opens the encoders of a session.
#pragma once

#include <memory>
#include <string>

#include "fineprint/models/encoder.h"
#include "fineprint/session/load.h"

namespace fineprint::session {

// Finds and opens encoders by SPEC. An interface, so that tests can provide their own encoders.
class EncoderSource {
 public:
  virtual ~EncoderSource() = default;
  // Returns Encoder::hash() of the model, without loading its network. Throws Error(model).
  virtual std::string hash(const std::string& spec) const = 0;
  // Opens the model. Throws Error(model), and Error(usage) if the device does not exist.
  virtual std::unique_ptr<models::Encoder> open(const std::string& spec) const = 0;
};

// Returns the encoders in model folders, in the Hugging Face cache, and on servers. The SPEC ""
// means the default sentence encoder.
std::unique_ptr<EncoderSource> model_encoders(const ModelOptions& options);

}  // namespace fineprint::session
