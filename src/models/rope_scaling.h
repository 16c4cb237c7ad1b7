// Reads how rotary positions are changed for texts longer than those of the first training.
#pragma once

#include "fineprint/models/model_spec.h"

#include "models/json_facts.h"

namespace fineprint::models {

// Reads theta, and the factors that rope_scaling or rope_parameters ask for, for heads of which
// `width` values are rotated. Leaves sections and width unset. Supports the types default, linear,
// dynamic, llama3, yarn, longrope (also called su), and mrope, which scales nothing. Throws
// Error(model) that names the key.
//
// Sources: Chen et al., "Extending Context Window of Large Language Models via Positional
// Interpolation" (2023); Peng et al., "YaRN" (2023), sections 3.2 and 3.4; Ding et al., "LongRoPE"
// (2024).
Rope read_scaled_rope(const JsonFacts& config, int width);

}  // namespace fineprint::models
