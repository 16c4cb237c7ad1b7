// The prefixes that published encoders need, if only their descriptions mention them.
#pragma once

#include <optional>
#include <string>

#include "fineprint/models/prefixes.h"

namespace fineprint::models {

// Looks up the prefixes by the last part of a model's name, for example "e5-base-v2", in any case.
std::optional<TextPrefixes> known_prefixes(const std::string& name);

}  // namespace fineprint::models
