// What Idefics3's relatives share.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fineprint/models/model_spec.h"

#include "models/folder_reader.h"

namespace fineprint::models {

// The SigLIP tower over square tiles.
FixedTower read_idefics3_tower(const JsonFacts& vision);
// preprocessor_config.json; `connector` says how many tokens a tile becomes.
preprocess::SplitProcessor read_idefics3_processor(FolderReader& folder, const FixedTower& tower,
                                                   const ShuffleConnector& connector);
// Pixel shuffle of a tile's patches. `key`: of the factor, which is `absent` where it is not given.
ShuffleConnector read_shuffle_connector(const JsonFacts& config, const std::string& key, int absent,
                                        const FixedTower& tower, int out);
// How images stand in a prompt; without a chat.
Prompt idefics3_prompt(std::int64_t image_token);
// Tower, connector, trunk and what they read, as a checkpoint's parts; `config` is the model's own.
// No head, no chat.
ModelSpec read_idefics3_body(FolderReader& folder, const JsonFacts& config);
// A vector a token, projected to 128 numbers by the tensors "linear".
// Source: Faysse et al., "ColPali" (2024), section 4; colpali-engine's models.
void add_idefics3_vectors(const std::string& begin, ModelSpec* spec);
// The texts around pages, which begin with `begin`, and queries, which begin with `before_query`.
void set_idefics3_texts(const std::string& begin, const std::string& before_query, Prompt* prompt);

}  // namespace fineprint::models
