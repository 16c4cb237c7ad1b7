// Sentence encoders of the BERT kind without LibTorch, whose start takes several times as long as
// the vector of a question.
#pragma once

#include <memory>

#include "fineprint/models/device.h"
#include "fineprint/models/model_spec.h"
#include "fineprint/models/text_only_encoder.h"

namespace fineprint::nets {

// Returns an encoder, or nullptr if it needs the networks' library: unless the model is a BERT with
// products of 8-bit codes, weights in float32 and one vector by the mean or the first token. Throws
// Error(model) if the folder's files do not fit together.
std::unique_ptr<models::TextOnlyEncoder> open_packed_encoder(const models::ModelSpec& spec,
                                                             const models::DeviceOptions& options);

}  // namespace fineprint::nets
