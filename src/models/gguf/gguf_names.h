// Names of tensors in GGUF files and in folders of safetensors.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace fineprint::models {

// The same beginning of a name.
struct NamedTensor {
  std::string_view gguf, folder;
};

// The name with its beginning exchanged, or "".
std::string exchanged_name(std::span<const NamedTensor> names, std::string_view name);

// "BEFORE.N.REST" as "AFTER.N." and the rest exchanged; "" when the name does not begin with
// `before` or its rest is none of `names`.
std::string exchanged_layer(std::string_view before, std::string_view after,
                            std::span<const NamedTensor> names, std::string_view name);

}  // namespace fineprint::models
