// How the weights of a published quantised folder are stored, as its configuration says.
#pragma once

#include <optional>

#include "fineprint/models/model_spec.h"

#include "models/folder_reader.h"

namespace fineprint::models {

// quantization_config in config.json or its text_config, or the quantize_config.json of older GPTQ
// folders; nullopt without any. Throws Error(model) naming the file and the key of what is not
// supported.
std::optional<Quantisation> read_quantisation(FolderReader& folder);

}  // namespace fineprint::models
