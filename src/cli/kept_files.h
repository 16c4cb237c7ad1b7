// What a store keeps in files beside its catalogue.
#pragma once

#include <string>

#include "fineprint/store/store.h"

namespace fineprint::cli {

// Throws Error(store) as opening for reading does, where `dir` holds no store: for commands that
// write to one and must not make one.
void require_store(const std::string& dir);

// Drops PDFs of office files that the store no longer has, and damaged ones.
void prune_pdfs(const store::Store& store);

}  // namespace fineprint::cli
