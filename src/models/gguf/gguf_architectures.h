// The language models that GGUF files may hold: their names, and what each says in its own way.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "fineprint/core/json.h"

#include "models/gguf/gguf_facts.h"
#include "models/gguf/gguf_names.h"

namespace fineprint::models {

// The tensor with the factors of positions of long texts, in files that have two sets.
inline constexpr const char* kLongFactors = "rope_factors_long.weight";

// An architecture: its names in GGUF files and in config.json, and its peculiarities.
struct NamedArchitecture {
  std::string_view gguf, config, model_type;
  // Adds further keys to config.json; `prefix` is that of the file's keys.
  void (*add_own)(const GgufFacts& gguf, const std::string& prefix, Json* config) = nullptr;
  std::span<const NamedTensor> in_layers = {};  // names of tensors, tried before the common ones
  bool partly_rotated = false;                  // heads may be rotated in part
  bool mixes_experts = false;
  // The number of heads of keys and values is a list with 0 for layers without attention.
  bool kv_heads_by_layer = false;
};

// Returns nullptr if no such architecture runs here.
const NamedArchitecture* find_architecture(std::string_view name);
// Returns the file's architecture. Throws Error(model) with the list of architectures if it does
// not run here.
const NamedArchitecture& architecture_of(const GgufFacts& gguf);

// Returns the numbers of a tensor that divide the frequencies of positions, half as many as a head
// has values that are rotated. Throws Error(model) if they are no numbers in F32.
Json rope_factors(const GgufFacts& gguf, const tensorfile::TensorView& view);

}  // namespace fineprint::models
