// What the recipes of the Qwen line share: chat, processor, tower and decoder.
#pragma once

#include "fineprint/models/model_spec.h"

#include "models/config_facts.h"
#include "models/folder_reader.h"
#include "models/parts.h"

namespace fineprint::models {

// Reads rotary positions over `width` values of a head, in sections for time, height and width.
Rope read_mrope(const JsonFacts& text, int width);
// Reads a decoder with grouped keys and values, biases, and three-dimensional positions.
Decoder read_qwen2_decoder(const JsonFacts& text);
// Returns chat and image markers. `config` is the configuration with image_token_id.
Prompt qwen2_prompt(const JsonFacts& config, const JsonFacts& text, int merge);
preprocess::PatchProcessor read_qwen2_processor(FolderReader& folder, const NativeTower& tower);
// Reads patches, heads and merging of vision_config, with `absent` as defaults. The recipes read
// the sizes that each generation names differently.
NativeTower read_qwen_tower(const JsonFacts& vision, const NativeTower& absent);
// Completes a model around tower, connector and decoder: head, processor, prompt, generation,
// parts. The caller adds the parts of a connector's further depths.
ModelSpec finish_qwen_vl(FolderReader& folder, const JsonFacts& config, const NativeTower& tower,
                         const MergeConnector& connector, const Decoder& decoder);

// Returns every prefix that published checkpoints use before `name`.
Prefixes qwen_vl_prefixes(const std::string& name);

// Reads the model from a configuration that may be nested in another.
ModelSpec read_qwen2_vl(FolderReader& folder, const JsonFacts& config);

}  // namespace fineprint::models
