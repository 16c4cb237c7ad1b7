// The trunk that sentence encoders and late interaction over texts share.
#pragma once

#include "fineprint/models/model_spec.h"

#include "models/folder_reader.h"

namespace fineprint::models {

// Sizes, after seeing that the variant is the one that runs here.
TextEncoder read_bert(const JsonFacts& config);

}  // namespace fineprint::models
