// Presents a GGUF file's facts as the files of a model folder, so that one recipe reads both.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "fineprint/core/json.h"
#include "fineprint/tensorfile/gguf.h"

namespace fineprint::models {

// Stands for the number of an expert in the name of an array that holds the matrices of all.
inline constexpr char kExpertNumber = '*';

// Returns config.json, generation_config.json and tokenizer_config.json; for text encoders also
// modules.json and the files it names. Throws Error(model) that names the file and the key that is
// missing or of another type, or the unknown architecture.
std::map<std::string, Json> folder_files(const tensorfile::GgufReader& reader);

// Returns the name of a tensor in folders of safetensors, or its own name if it has no other.
std::string folder_name(const std::string& gguf_name, std::string_view architecture);

}  // namespace fineprint::models
