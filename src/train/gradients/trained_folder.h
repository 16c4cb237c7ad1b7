// Writes the folder of a trained model.
#pragma once

#include <string>

#include "fineprint/models/model_spec.h"
#include "fineprint/nets/trained.h"

namespace fineprint::train {

// If all weights were trained, writes the base's small files, and model.safetensors in float32. If
// low-rank changes were trained, writes a PEFT adapter, which needs the base's folder. Replaces
// files in `dir` with these names. Throws Error(unreadable) with the file.
void write_trained_model(const std::string& dir, const models::ModelSpec& base,
                         const nets::Trained& trained);

}  // namespace fineprint::train
