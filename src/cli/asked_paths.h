// The paths that a command is about, with documents from elsewhere in their copies.
#pragma once

#include <cstddef>
#include <vector>

#include "fineprint/documents/fetching.h"
#include "fineprint/settings/settings.h"

namespace fineprint::cli {

// Returns the arguments from `first` on as the file system spells them. What addresses among them
// name is fetched first. Throws Error(usage) if an option of fetching is given and there is no
// address, and what documents::bring_here throws.
documents::BroughtPaths asked_paths(const settings::Settings& settings, std::size_t first = 0);

// Prints what could not be fetched as records of failed files (docs/schemas/file.json).
void print_unfetched(const std::vector<documents::UnfetchedFile>& failures);

// Throws Error(usage) if one of the arguments is an address. `why` ends the message, for example
// "--watch watches folders of this machine".
void allow_no_addresses(const settings::Settings& settings, const char* why);

}  // namespace fineprint::cli
