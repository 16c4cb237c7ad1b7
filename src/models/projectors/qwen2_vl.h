// What the projectors of Qwen2-VL and Qwen2.5-VL share.
#pragma once

#include <map>
#include <string>

#include "models/projectors/projector_kind.h"

namespace fineprint::models {

// Fills in the complete model's files around `vision`, its vision_config.
void describe_qwen2_vl(const GgufFacts& model, const GgufFacts& clip, const Json& vision,
                       const char* architecture, std::map<std::string, Json>* files);
// Returns what both say of themselves except for their own description.
ProjectorKind qwen2_vl_kind(std::string_view type, decltype(ProjectorKind::describe) describe);

}  // namespace fineprint::models
