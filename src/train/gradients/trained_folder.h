// The folder that a trained model is used by.
#pragma once

#include <string>

#include "fineprint/models/model_spec.h"
#include "fineprint/nets/trained.h"

namespace fineprint::train {

// Of a model whose every weight was trained: the base's small files, and model.safetensors in
// float32. Of low-rank changes: a PEFT adapter beside which the base's folder is needed. What was
// in `dir` under these names is replaced. Throws Error(unreadable) naming the file.
void write_trained_model(const std::string& dir, const models::ModelSpec& base,
                         const nets::Trained& trained);

}  // namespace fineprint::train
