// What published encoders want before questions and passages where only their descriptions say so.
#pragma once

#include <optional>
#include <string>

namespace fineprint::models {

struct TextPrefixes {
  std::string query, passage;
};

// By the last part of a model's name ("e5-base-v2"), whatever its case.
std::optional<TextPrefixes> known_prefixes(const std::string& name);

}  // namespace fineprint::models
