// GGUF files of text encoders, described in the terms of a folder's files.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "fineprint/core/json.h"

#include "models/gguf/gguf_facts.h"

namespace fineprint::models {

// Returns true if files of this architecture are always encoders (BERT and its relatives).
bool is_encoder_architecture(std::string_view architecture);
// Returns the names of these architectures, for people.
std::string encoder_architectures();

// Returns config.json of such a file. Throws Error(model) that names the key or tensor.
Json encoder_config(const GgufFacts& gguf);

// Returns true if the file says that it is a cross-encoder, which scores pairs of texts.
bool ranks_pairs(const GgufFacts& gguf);

// Adds modules.json and the files it names if the GGUF file says how states become a vector. Files
// of encoders do, and language models that are used as encoders; cross-encoders do not. Throws if
// the result is no vector.
void add_pooling(const GgufFacts& gguf, std::map<std::string, Json>* files);

// Returns the name of a tensor in folders of safetensors, or "".
std::string encoder_tensor(const std::string& gguf_name, std::string_view architecture);

}  // namespace fineprint::models
