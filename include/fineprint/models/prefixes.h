// What a user wants encoders of texts to be given before questions and passages.
#pragma once

#include <string>
#include <string_view>

#include "fineprint/core/option.h"

namespace fineprint::models {

// Stands for no prefix.
inline constexpr std::string_view kNoPrefix = "none";

// In place of what the model's folder or name says; empty: as these say.
struct GivenPrefixes {
  std::string query, passage;
};

const OptionTable<GivenPrefixes>& prefix_options();

}  // namespace fineprint::models
