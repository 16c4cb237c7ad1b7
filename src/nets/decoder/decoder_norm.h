// The norms of a decoder, as its weights are to be read.
#pragma once

#include <string>

#include "fineprint/models/model_spec.h"

#include "nets/layers/layers.h"

namespace fineprint::nets {

// The tensor NAME.weight, scaling by 1 + weight where the model asks for that.
Norm take_decoder_norm(const models::Decoder& spec, const PartWeights& weights,
                       const std::string& name);

}  // namespace fineprint::nets
