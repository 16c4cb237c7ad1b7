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

// Texts before questions and before passages.
struct TextPrefixes {
  std::string query, passage;
};

// Returns the prefixes of an encoder of which only the name is known, because it is on a server:
// those that the user gives, else those that are known for its name, else none. A name may have
// Ollama's form, for example "nomic-embed-text:latest".
TextPrefixes prefixes_by_name(const std::string& name, const GivenPrefixes& given);

// Returns the options --query-prefix and --passage-prefix.
const OptionTable<GivenPrefixes>& prefix_options();

}  // namespace fineprint::models
