// Reads the norms of a decoder.
#pragma once

#include <string>

#include "fineprint/models/model_spec.h"

#include "nets/layers/layers.h"

namespace fineprint::nets {

// Returns the norm NAME.weight. It scales by 1 + weight if the model stores its norms that way.
Norm take_decoder_norm(const models::Decoder& spec, const WeightScope& weights,
                       const std::string& name);

}  // namespace fineprint::nets
