// What a file of this folder says of its kind of projector. NAME.cpp defines
// `ProjectorKind NAME_projector()`; the build lists them all.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fineprint/core/json.h"

#include "models/gguf/gguf_facts.h"
#include "models/gguf/gguf_names.h"

namespace fineprint::models {

// What it goes with, how the whole model's config.json says it, how its tensors are called.
struct ProjectorKind {
  std::string_view type;                        // clip.projector_type
  std::vector<std::string_view> architectures;  // of the language model's file
  // Turns config.json, so far the language model's, into the whole model's, and adds
  // preprocessor_config.json.
  void (*describe)(const GgufFacts& model, const GgufFacts& clip,
                   std::map<std::string, Json>* files);
  std::span<const NamedTensor> outside_layers;
  std::string_view layers;  // beginning of the tower's layers' names
  std::span<const NamedTensor> in_layers;
  // Likewise of further connectors ("v.deepstack."), by the numbers of the layers before them.
  std::string_view further = {};
  std::span<const NamedTensor> in_further = {};
};

}  // namespace fineprint::models
