// What the recipes of Idefics3 and its relatives share.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fineprint/models/model_spec.h"

#include "models/folder_reader.h"

namespace fineprint::models {

// Reads the SigLIP tower over square tiles.
FixedTower read_idefics3_tower(const JsonFacts& vision);
// Reads preprocessor_config.json; `connector` determines how many tokens a tile becomes.
preprocess::SplitProcessor read_idefics3_processor(FolderReader& folder, const FixedTower& tower,
                                                   const ShuffleConnector& connector);
// Reads the pixel shuffle of a tile's patches. `key` names the factor, `absent` is its default.
ShuffleConnector read_shuffle_connector(const JsonFacts& config, const std::string& key, int absent,
                                        const FixedTower& tower, int out);
// Returns how images are written in a prompt; the chat template is not set.
Prompt idefics3_prompt(std::int64_t image_token);
// Reads tower, connector, trunk and their tensors; `config` is the model's own. Sets no head and no
// chat.
ModelSpec read_idefics3_body(FolderReader& folder, const JsonFacts& config);
// Adds one vector for each token, projected to 128 numbers by the tensors "linear". Source: Faysse
// et al., "ColPali" (2024), section 4; colpali-engine's models.
void add_idefics3_vectors(const std::string& begin, ModelSpec* spec);
// Sets the texts around pages, which begin with `begin`, and around queries (`before_query`).
void set_idefics3_texts(const std::string& begin, const std::string& before_query, Prompt* prompt);

}  // namespace fineprint::models
