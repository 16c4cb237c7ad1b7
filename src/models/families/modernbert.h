// The trunk that ModernBERT's sentence encoders share with models over pages.
#pragma once

#include "fineprint/models/model_spec.h"

#include "models/folder_reader.h"

namespace fineprint::models {

// Reads sizes, windows and rotary positions of a ModernBERT configuration.
RotaryEncoder read_modernbert(const JsonFacts& config);
// The same, whatever model_type the configuration has.
RotaryEncoder read_modernbert_sizes(const JsonFacts& config);

}  // namespace fineprint::models
