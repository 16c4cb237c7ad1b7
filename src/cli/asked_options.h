// Derives the options of questions about folders from settings.
#pragma once

#include "fineprint/library/asked_folder.h"
#include "fineprint/settings/settings.h"

namespace fineprint::cli {

// Returns the options of `ask QUESTION PATH...` and `search QUERY PATH...`. Reports of indexing are
// printed. `settings` must outlive the result. Throws Error(usage) if --store is empty.
library::AskedOptions asked_options(const settings::Settings& settings);

}  // namespace fineprint::cli
