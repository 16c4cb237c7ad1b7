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
PartTensors connector_tensors(const TileConnector& connector, const Prefixes& prefixes);
PartTensors connector_tensors(const LinearConnector& connector, const Prefixes& prefixes);
PartTensors trunk_tensors(const Decoder& decoder, const Prefixes& prefixes);
PartTensors trunk_tensors(const TextEncoder& encoder, const Prefixes& prefixes);
// lm_head; unused when the head is tied or does not generate.
PartTensors head_tensors(const Head& head, const Decoder& decoder, const Prefixes& prefixes);
PartTensors projection_tensors(const Head& head, int hidden, const Prefixes& prefixes);

}  // namespace fineprint::models
