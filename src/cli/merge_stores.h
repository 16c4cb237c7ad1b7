// `fineprint merge` of stores.
#pragma once

#include <string>

#include "fineprint/settings/settings.h"

namespace fineprint::cli {

using settings::Settings;

// Returns whether `path` is a folder that `index` made.
bool names_store(const std::string& path);
int merge_stores(const Settings& settings);

}  // namespace fineprint::cli
