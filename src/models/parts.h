// Lists the tensors of each kind of part, with their shapes, under the names of published
// checkpoints.
#pragma once

#include <string>
#include <vector>

#include "fineprint/models/model_spec.h"

namespace fineprint::models {

using Prefixes = std::vector<std::string>;

// Returns every beginning with every ending: {"", "vlm."} and {"visual."} give "visual.",
// "vlm.visual.".
Prefixes combine(const Prefixes& beginnings, const Prefixes& endings);

// Tensors of towers, connectors, trunks and heads. `prefixes` are tried in order.
PartTensors tower_tensors(const FixedTower& tower, const Prefixes& prefixes);
PartTensors tower_tensors(const FlexibleTower& tower, const Prefixes& prefixes);
PartTensors tower_tensors(const NativeTower& tower, const Prefixes& prefixes);
PartTensors connector_tensors(const MergeConnector& connector, const Prefixes& prefixes);
// Tensors of the connector's further depths, below the prefix by these numbers.
PartTensors further_connector_tensors(const MergeConnector& connector,
                                      const std::vector<int>& numbers, const Prefixes& prefixes);
PartTensors connector_tensors(const PatchMergeConnector& connector, const Prefixes& prefixes);
PartTensors connector_tensors(const TileConnector& connector, const Prefixes& prefixes);
PartTensors connector_tensors(const LinearConnector& connector, const Prefixes& prefixes);
PartTensors connector_tensors(const ShuffleConnector& connector, const Prefixes& prefixes);
PartTensors connector_tensors(const PoolConnector& connector, const Prefixes& prefixes);
PartTensors connector_tensors(const UnshuffleConnector& connector, const Prefixes& prefixes);
PartTensors trunk_tensors(const Decoder& decoder, const Prefixes& prefixes);
PartTensors trunk_tensors(const TextEncoder& encoder, const Prefixes& prefixes);
// The names that a family's checkpoints use in place of ModernBERT's; empty: the same name.
struct RotaryNames {
  std::string embeddings, embedding_norm;
  std::string layers;  // "encoder.layer"
  std::string qkv, attention_output, attention_norm, up, down, feed_norm;
  std::string gate = {};  // if it is a separate matrix
};
PartTensors trunk_tensors(const RotaryEncoder& encoder, const RotaryNames& names,
                          const Prefixes& prefixes);
// The names, in checkpoints, of the two layers of a cross-encoder and the norm between them.
struct PairNames {
  std::string dense, norm, last;
};
PartTensors pair_tensors(const PairScore& pair, int hidden, const PairNames& names,
                         const Prefixes& prefixes);
// The names, in checkpoints, of a sparse encoder's layer, norm, bias of tokens and, if it has them,
// rows of tokens.
struct VocabularyNames {
  std::string dense, norm, bias;
  std::string rows = {};
};
// Two parts: the head "vocabulary", and the questions' weights if they have any, under the name of
// their folder, or as "query" below `query_prefix`.
std::vector<PartTensors> vocabulary_tensors(const VocabularyHead& head, int hidden, int vocab_size,
                                            const VocabularyNames& names,
                                            const std::string& query_prefix = {});
// The part has the name of its folder.
PartTensors dense_tensors(const DenseLayer& layer);
// lm_head, or the rows of verdicts. lm_head is not read if the head is tied or the model does not
// generate.
PartTensors head_tensors(const Head& head, const Decoder& decoder, const Prefixes& prefixes);
PartTensors projection_tensors(const Head& head, int hidden, const Prefixes& prefixes);

}  // namespace fineprint::models
