// Reads the folders of LoRA adapters that PEFT writes.
#pragma once

#include <string>

#include "fineprint/models/model_spec.h"

namespace fineprint::models {

// What an adapter's folder says.
struct AdapterFolder {
  Adapter facts;
  std::string config_path;
  std::string base;  // base_model_name_or_path
};

// Returns true if the folder has an adapter_config.json.
bool holds_adapter(const std::string& dir);

// Reads adapter_config.json. Throws Error(model) if the kind of adapter is not supported.
AdapterFolder read_adapter(const std::string& dir);

// Returns the folder of the base model: relative to the adapter, as named, or in the cache. Throws
// Error(model) if it is not found or is itself an adapter.
std::string find_base(const AdapterFolder& adapter, const std::string& hub_cache);

}  // namespace fineprint::models
