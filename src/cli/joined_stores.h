// Searches several stores as one.
#pragma once

#include <string>
#include <vector>

#include "fineprint/settings/settings.h"

namespace fineprint::cli {

using settings::Settings;

// Returns the folder of the store that a command searches. If --store names one store, it is that
// one. If it names several, they are joined into a store in the user's cache folder; this is
// repeated, with a message, if one of them has changed since. Throws Error(usage) if --store is
// missing, and what ingest::join_stores throws if the stores cannot be joined.
std::string searched_store(const Settings& settings);

// Returns the folders that --store names. The name of an existing folder may contain a comma.
std::vector<std::string> store_dirs(const std::string& text);

}  // namespace fineprint::cli
