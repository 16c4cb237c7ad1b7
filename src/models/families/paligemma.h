// What PaliGemma shares with the retriever built on it.
#pragma once

#include "fineprint/models/model_spec.h"

#include "models/folder_reader.h"

namespace fineprint::models {

// Reads the model from a configuration that may be nested in another.
ModelSpec read_paligemma(FolderReader& folder, const JsonFacts& config);

}  // namespace fineprint::models
