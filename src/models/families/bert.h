// The trunk that sentence encoders share with late interaction over texts.
#pragma once

#include "fineprint/models/model_spec.h"

#include "models/folder_reader.h"

namespace fineprint::models {

// Reads the sizes. Throws if the configuration describes a variant that is not supported.
TextEncoder read_bert(const JsonFacts& config);

}  // namespace fineprint::models
