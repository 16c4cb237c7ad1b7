// The tensors that each kind of part needs, with their shapes, under the names published
// checkpoints use.
#pragma once

#include <string>
#include <vector>

#include "fineprint/models/model_spec.h"

namespace fineprint::models {

using Prefixes = std::vector<std::string>;

// Every prefix before every ending: {"", "vlm."} and {"visual."} give "visual.", "vlm.visual.".
Prefixes combine(const Prefixes& beginnings, const Prefixes& endings);

PartTensors tower_tensors(const FixedTower& tower, const Prefixes& prefixes);
PartTensors tower_tensors(const NativeTower& tower, const Prefixes& prefixes);
PartTensors connector_tensors(const MergeConnector& connector, const Prefixes& prefixes);
// Of the connector's further depths, below the prefix by these numbers.
PartTensors further_connector_tensors(const MergeConnector& connector,
                                      const std::vector<int>& numbers, const Prefixes& prefixes);
PartTensors connector_tensors(const TileConnector& connector, const Prefixes& prefixes);
PartTensors connector_tensors(const LinearConnector& connector, const Prefixes& prefixes);
PartTensors connector_tensors(const ShuffleConnector& connector, const Prefixes& prefixes);
PartTensors connector_tensors(const PoolConnector& connector, const Prefixes& prefixes);
PartTensors trunk_tensors(const Decoder& decoder, const Prefixes& prefixes);
PartTensors trunk_tensors(const TextEncoder& encoder, const Prefixes& prefixes);
// How the published checkpoints of a family name what the trunk calls as ModernBERT does; empty:
// the same.
struct RotaryNames {
  std::string embeddings, embedding_norm;
  std::string layers;  // "encoder.layer"
  std::string qkv, attention_output, attention_norm, up, down, feed_norm;
  std::string gate = {};  // where it is a matrix of its own
};
PartTensors trunk_tensors(const RotaryEncoder& encoder, const RotaryNames& names,
                          const Prefixes& prefixes);
// The two layers of a cross-encoder and the norm between, by their names in checkpoints.
struct PairNames {
  std::string dense, norm, last;
};
PartTensors pair_tensors(const PairScore& pair, int hidden, const PairNames& names,
                         const Prefixes& prefixes);
// The part is called as its folder is.
PartTensors dense_tensors(const DenseLayer& layer);
// lm_head; unused when the head is tied or does not generate.
PartTensors head_tensors(const Head& head, const Decoder& decoder, const Prefixes& prefixes);
PartTensors projection_tensors(const Head& head, int hidden, const Prefixes& prefixes);

}  // namespace fineprint::models
