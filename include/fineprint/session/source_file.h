// Checks the files that a store's documents were read from.
#pragma once

#include <string>

#include "fineprint/store/store.h"

namespace fineprint::session {

// Returns the size and time of a file. Throws Error(unreadable) if it does not exist.
store::FileStamp stamp_of(const std::string& path);

// Checks that the document's file exists and is the one that was indexed. Reads its content only if
// its time or size differ. Throws Error(unreadable) naming the file and what to do.
void check_unchanged(const store::DocumentRow& document);

}  // namespace fineprint::session
