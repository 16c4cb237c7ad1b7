// The folders that a trained reader is used by.
#pragma once

#include <string>

#include "fineprint/models/model_spec.h"
#include "fineprint/nets/trained.h"

namespace fineprint::train {

// config.json, tokenizer.json and all weights in float32, which training can go on with. What was
// in `dir` under these names is replaced. Throws Error(unreadable) naming the file.
void write_trained_reader(const std::string& dir, const models::ModelSpec& base,
                          const nets::Trained& trained);

// The same as it is shipped: matrices of the trunk as codes of eight bits with a scale for each
// row, in compressed-tensors' "int-quantized" layout, everything else in float16. A quarter of the
// size.
void write_packed_reader(const std::string& dir, const models::ModelSpec& base,
                         const nets::Trained& trained);

}  // namespace fineprint::train
