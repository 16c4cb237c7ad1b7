// Derives the options of questions about folders from settings.
#pragma once

#include <string>

#include "fineprint/library/asked_folder.h"
#include "fineprint/settings/settings.h"

namespace fineprint::cli {

// Returns the options of `ask QUESTION PATH...` and `search QUERY PATH...`. Reports of indexing are
// printed. `settings` must outlive the result. Throws Error(usage) if --store is empty.
library::AskedOptions asked_options(const settings::Settings& settings);

// Returns whether the path is the folder of a store, and not of documents.
bool is_store(const std::string& path);

}  // namespace fineprint::cli
