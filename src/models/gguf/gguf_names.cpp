// Translates names of tensors by their beginnings.
#include "models/gguf/gguf_names.h"

namespace fineprint::models {

std::string exchanged_name(std::span<const NamedTensor> names, std::string_view name) {
  for (const NamedTensor& named : names) {
    if (name.starts_with(named.gguf)) {
      return std::string(named.folder) + std::string(name.substr(named.gguf.size()));
    }
  }
  return {};
}

std::string exchanged_layer(std::string_view before, std::string_view after,
                            std::span<const NamedTensor> names, std::string_view name) {
  if (!name.starts_with(before)) return {};
  const std::size_t dot = name.find('.', before.size());
  if (dot == std::string_view::npos) return {};
  const std::string rest = exchanged_name(names, name.substr(dot + 1));
  if (rest.empty()) return {};
  return std::string(after) + std::string(name.substr(before.size(), dot + 1 - before.size())) +
         rest;
}

}  // namespace fineprint::models
