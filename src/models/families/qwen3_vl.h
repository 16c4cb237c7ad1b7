// What Qwen3-VL shares with its retrievers and with Qwen3.5.
#pragma once

#include "fineprint/models/model_spec.h"

#include "models/folder_reader.h"

namespace fineprint::models {

// Reads positions whose time, height and width alternate, over `width` values of a head.
Rope read_interleaved_rope(const JsonFacts& text, int width);
// Reads vision_config, but not the further depths.
NativeTower read_qwen3_tower(const JsonFacts& vision);
// Calls finish_qwen_vl with this line's connectors and chat.
ModelSpec finish_qwen3_vl(FolderReader& folder, const JsonFacts& config, const NativeTower& tower,
                          const Decoder& decoder);

// Reads the decoder of text_config, without mixtures of experts.
Decoder read_qwen3_vl_trunk(const JsonFacts& text);
// Reads the model around a decoder.
ModelSpec read_qwen3_vl_around(FolderReader& folder, const JsonFacts& config,
                               const Decoder& decoder);
// Reads the model from a configuration that may be nested in another.
ModelSpec read_qwen3_vl(FolderReader& folder, const JsonFacts& config);

}  // namespace fineprint::models
