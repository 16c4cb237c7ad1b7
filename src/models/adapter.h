// Folders of LoRA adapters, as PEFT writes them.
#pragma once

#include <string>

#include "fineprint/models/model_spec.h"

namespace fineprint::models {

struct AdapterFolder {
  Adapter facts;
  std::string config_path;
  std::string base;  // base_model_name_or_path
};

// Whether the folder has an adapter_config.json.
bool holds_adapter(const std::string& dir);

// Reads adapter_config.json. Throws Error(model) for a kind of adapter that is not supported.
AdapterFolder read_adapter(const std::string& dir);

// The folder of the base model: beside the adapter, as named, or in the cache.
std::string find_base(const AdapterFolder& adapter, const std::string& hub_cache);

}  // namespace fineprint::models
