// What Qwen3-VL shares with its retrievers.
#pragma once

#include "fineprint/models/model_spec.h"

#include "models/folder_reader.h"

namespace fineprint::models {

// The whole reading, from a configuration that may lie inside another.
ModelSpec read_qwen3_vl(FolderReader& folder, const JsonFacts& config);

}  // namespace fineprint::models
