// Files that a store keeps next to its catalogue.
#pragma once

#include <string>

#include "fineprint/store/store.h"

namespace fineprint::cli {

// Throws Error(store) if `dir` is not a store. Commands that write to a store but must not create
// one call this first.
void require_store(const std::string& dir);

// Removes damaged PDFs of office files, and those of documents that the store no longer has.
void prune_pdfs(const store::Store& store);

}  // namespace fineprint::cli
