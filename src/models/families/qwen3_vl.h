// What Qwen3-VL shares with its retrievers and with Qwen3.5.
#pragma once

#include "fineprint/models/model_spec.h"

#include "models/folder_reader.h"

namespace fineprint::models {

// Positions of time, height and width that take turns, over `width` values of a head.
Rope read_interleaved_rope(const JsonFacts& text, int width);
// Of one depth: what vision_config says, further depths left out.
NativeTower read_qwen3_tower(const JsonFacts& vision);
// finish_qwen_vl with this line's connectors and chat.
ModelSpec finish_qwen3_vl(FolderReader& folder, const JsonFacts& config, const NativeTower& tower,
                          const Decoder& decoder);

// The whole reading, from a configuration that may lie inside another.
ModelSpec read_qwen3_vl(FolderReader& folder, const JsonFacts& config);

}  // namespace fineprint::models
