// Writes the folders of a trained QA model.
#pragma once

#include <string>

#include "fineprint/models/model_spec.h"
#include "fineprint/nets/trained.h"

namespace fineprint::train {

// Writes config.json, tokenizer.json and all weights in float32. Training can continue from them.
// Replaces files in `dir` with these names. Throws Error(unreadable) with the file.
void write_trained_qa_model(const std::string& dir, const models::ModelSpec& base,
                            const nets::Trained& trained);

// Writes the same for distribution, in a quarter of the size: matrices of the trunk as codes of
// eight bits with a scale for each row, in compressed-tensors' "int-quantized" layout, and
// everything else in float16.
void write_packed_qa_model(const std::string& dir, const models::ModelSpec& base,
                           const nets::Trained& trained);

}  // namespace fineprint::train
