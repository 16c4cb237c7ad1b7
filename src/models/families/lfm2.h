// What LFM2's recipes share: texts only, and with images.
#pragma once

#include "fineprint/models/model_spec.h"

#include "models/folder_reader.h"

namespace fineprint::models {

// Reads LFM2's decoder from its own configuration, or from the text part of LFM2-VL's.
Decoder read_lfm2_trunk(const JsonFacts& given, bool gguf);
// Sets the names of published checkpoints as the second names of its tensors.
void name_as_lfm2(PartTensors* trunk);

}  // namespace fineprint::models
