// What each file in this folder says about its kind of projector. NAME.cpp defines `ProjectorKind
// NAME_projector()`; the build lists them all.
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

// The language models it suits, how the complete model's config.json describes it, and the names of
// its tensors.
struct ProjectorKind {
  std::string_view type;                        // clip.projector_type
  std::vector<std::string_view> architectures;  // architectures of the language model's file
  // Turns config.json of the language model into that of the complete model, and adds
  // preprocessor_config.json.
  void (*describe)(const GgufFacts& model, const GgufFacts& clip,
                   std::map<std::string, Json>* files);
  std::span<const NamedTensor> outside_layers;
  std::string_view layers;  // beginning of the names of the tower's layers
  std::span<const NamedTensor> in_layers;
  // The same for further connectors ("v.deepstack."), by the numbers of the layers before them.
  std::string_view further = {};
  std::span<const NamedTensor> in_further = {};
};

}  // namespace fineprint::models
