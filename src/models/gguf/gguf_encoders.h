// GGUF files of encoders of texts: what they say in the words of a folder's files.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "fineprint/core/json.h"

#include "models/gguf/gguf_facts.h"

namespace fineprint::models {

// Whether files of this architecture hold encoders alone (BERT and its like).
bool is_encoder_architecture(std::string_view architecture);
// Their names, for people.
std::string encoder_architectures();

// config.json of such a file. Throws Error(model) naming the key or tensor.
Json encoder_config(const GgufFacts& gguf);

// Adds modules.json and what it names, when the file says how states become a vector, as those of
// encoders do and those of language models with this job; that are no vectors is refused.
void add_pooling(const GgufFacts& gguf, std::map<std::string, Json>* files);

// The name that a tensor of such an architecture has in folders of safetensors, or "".
std::string encoder_tensor(const std::string& gguf_name, std::string_view architecture);

}  // namespace fineprint::models
