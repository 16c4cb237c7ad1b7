// What the recipes of this line of models share: chat, processor, tower and decoder facts.
#pragma once

#include "fineprint/models/model_spec.h"

#include "models/config_facts.h"
#include "models/folder_reader.h"

namespace fineprint::models {

// Grouped keys and values, biased query, key and value, positions in three dimensions.
Decoder read_qwen2_decoder(const JsonFacts& text);
// `config` is the one that holds image_token_id.
Prompt qwen2_prompt(const JsonFacts& config, const JsonFacts& text, int merge);
preprocess::PatchProcessor read_qwen2_processor(FolderReader& folder, const NativeTower& tower);
// Patches, heads and merging of vision_config; the sizes that the generations name differently are
// left to the recipes.
NativeTower read_qwen2_tower(const JsonFacts& vision);
// Fills decoder, head, processor, prompt, generation and parts around a tower and its connector.
ModelSpec finish_qwen2(FolderReader& folder, const JsonFacts& config, const NativeTower& tower,
                       const MergeConnector& connector);

// The whole reading, from a configuration that may lie inside another.
ModelSpec read_qwen2_vl(FolderReader& folder, const JsonFacts& config);

}  // namespace fineprint::models
