// A GGUF file's facts as the files of a model folder would say them: one recipe reads both.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "fineprint/core/json.h"
#include "fineprint/tensorfile/gguf.h"

namespace fineprint::models {

// config.json, generation_config.json and tokenizer_config.json; of encoders of texts modules.json
// and what it names, too. Throws Error(model) naming the file and the key that is missing or of
// another kind, or the architecture that is not known.
std::map<std::string, Json> folder_files(const tensorfile::GgufReader& reader);

// The name that a tensor has in folders of safetensors; the same name when there is none.
std::string folder_name(const std::string& gguf_name, std::string_view architecture);

}  // namespace fineprint::models
