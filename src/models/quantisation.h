// Reads how the weights of a quantised folder are stored.
#pragma once

#include <optional>

#include "fineprint/models/model_spec.h"

#include "models/folder_reader.h"

namespace fineprint::models {

// Reads quantization_config in config.json or its text_config, or the quantize_config.json of older
// GPTQ folders; nullopt if there is none. Throws Error(model) that names the file and the
// unsupported key.
std::optional<Quantisation> read_quantisation(FolderReader& folder);

}  // namespace fineprint::models
