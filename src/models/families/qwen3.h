// What the Qwen3 generation shares.
#pragma once

#include "fineprint/models/model_spec.h"

#include "models/folder_reader.h"

namespace fineprint::models {

// Grouped keys and values, queries and keys normed; without positions.
Decoder read_qwen3_decoder(const JsonFacts& text);

}  // namespace fineprint::models
