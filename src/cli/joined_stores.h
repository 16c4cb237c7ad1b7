// Several stores searched as one.
#pragma once

#include <string>
#include <vector>

#include "fineprint/settings/settings.h"

namespace fineprint::cli {

using settings::Settings;

// The folder of the store that a command searches: that of --store; where it names several, a store
// in the user's cache folder into which they are joined, anew when one of them has changed since,
// which is said. Throws Error(usage) when there is none, what ingest::join_stores throws for those
// that cannot stand beside each other.
std::string searched_store(const Settings& settings);

// The folders that --store names; one that is there may hold a comma.
std::vector<std::string> store_dirs(const std::string& text);

}  // namespace fineprint::cli
