// Where a session gets its encoders from.
#pragma once

#include <memory>
#include <string>

#include "fineprint/models/encoder.h"
#include "fineprint/session/load.h"

namespace fineprint::session {

// Finds and opens encoders by SPEC; tests give encoders of their own through it.
class EncoderSource {
 public:
  virtual ~EncoderSource() = default;
  // Encoder::hash() of the model, without its network. Throws Error(model).
  virtual std::string hash(const std::string& spec) const = 0;
  // Throws Error(model), and Error(usage) for a device that is not there.
  virtual std::unique_ptr<models::Encoder> open(const std::string& spec) const = 0;
};

// Model folders and the Hugging Face cache; "" is the default sentence encoder.
std::unique_ptr<EncoderSource> model_encoders(const ModelOptions& options);

}  // namespace fineprint::session
