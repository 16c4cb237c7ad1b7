// Translates names of tensors from GGUF files to folders of safetensors.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace fineprint::models {

// A beginning of a name in both conventions.
struct NamedTensor {
  std::string_view gguf, folder;
};

// Returns the name with its beginning translated, or "".
std::string exchanged_name(std::span<const NamedTensor> names, std::string_view name);

// Translates "BEFORE.N.REST" to "AFTER.N." and the translated rest. Returns "" if the name does not
// begin with `before` or its rest is not in `names`.
std::string exchanged_layer(std::string_view before, std::string_view after,
                            std::span<const NamedTensor> names, std::string_view name);

}  // namespace fineprint::models
