// What the recipes of Phi-3 share.
#pragma once

#include "fineprint/models/model_spec.h"

#include "models/folder_reader.h"

namespace fineprint::models {

// Reads one-dimensional positions over all of a head or its first part, with two sets of factors if
// rope_scaling asks for them. Of the decoder, the width of heads must be set.
Rope read_phi3_rope(const JsonFacts& config, const Decoder& decoder);

}  // namespace fineprint::models
