// The user's choice of prefixes that text encoders get before questions and passages.
#pragma once

#include <string>
#include <string_view>

#include "fineprint/core/option.h"

namespace fineprint::models {

// The value that means "no prefix", because an empty one means "as the model says".
inline constexpr std::string_view kNoPrefix = "none";

// Replace the prefixes that the model's folder or name gives; empty: no replacement.
struct GivenPrefixes {
  std::string query, passage;
};

// Returns the options --query-prefix and --passage-prefix.
const OptionTable<GivenPrefixes>& prefix_options();

}  // namespace fineprint::models
