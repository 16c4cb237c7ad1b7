// What the retriever built on this model shares with it.
#pragma once

#include "fineprint/models/model_spec.h"

#include "models/folder_reader.h"

namespace fineprint::models {

// The whole reading, from a configuration that may lie inside another.
ModelSpec read_paligemma(FolderReader& folder, const JsonFacts& config);

}  // namespace fineprint::models
