// What the recipes of this line of models share: chat, processor, tower and decoder facts.
#pragma once

#include "fineprint/models/model_spec.h"

#include "models/config_facts.h"
#include "models/folder_reader.h"
#include "models/parts.h"

namespace fineprint::models {

// Frequencies in sections for time, height and width, over so many values of a head.
Rope read_mrope(const JsonFacts& text, int width);
// Grouped keys and values, biased query, key and value, positions in three dimensions.
Decoder read_qwen2_decoder(const JsonFacts& text);
// `config` is the one that holds image_token_id.
Prompt qwen2_prompt(const JsonFacts& config, const JsonFacts& text, int merge);
preprocess::PatchProcessor read_qwen2_processor(FolderReader& folder, const NativeTower& tower);
// Patches, heads and merging of vision_config, or of `absent` where it is silent; the sizes that
// the generations name differently are left to the recipes.
NativeTower read_qwen_tower(const JsonFacts& vision, const NativeTower& absent);
// Fills head, processor, prompt, generation and parts around a tower, its connector and a decoder.
// A connector of several depths gets its further ones' parts from the caller.
ModelSpec finish_qwen_vl(FolderReader& folder, const JsonFacts& config, const NativeTower& tower,
                         const MergeConnector& connector, const Decoder& decoder);

// Every prefix that the tower has in published checkpoints, before `name`.
Prefixes qwen_vl_prefixes(const std::string& name);

// The whole reading, from a configuration that may lie inside another.
ModelSpec read_qwen2_vl(FolderReader& folder, const JsonFacts& config);

}  // namespace fineprint::models
