// What language models of Llama's layout share.
#pragma once

#include "fineprint/models/model_spec.h"

#include "models/folder_reader.h"

namespace fineprint::models {

// One-dimensional positions, with factors where rope_scaling asks for them.
Rope read_llama_rope(const JsonFacts& config, int head_dim);
// Head, chat, generation and parts around a decoder that reads texts alone.
ModelSpec finish_llama(FolderReader& folder, const Decoder& decoder);

}  // namespace fineprint::models
