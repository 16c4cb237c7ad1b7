// What the recipes of Phi-3 share.
#pragma once

#include "fineprint/models/model_spec.h"

#include "models/folder_reader.h"

namespace fineprint::models {

// Reads one-dimensional positions, with two sets of factors if rope_scaling asks for them. Of the
// decoder, the width of heads and the positions must be set.
Rope read_phi3_rope(const JsonFacts& config, const Decoder& decoder);

}  // namespace fineprint::models
