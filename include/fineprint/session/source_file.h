// The files that a store's documents were read from.
#pragma once

#include <string>

#include "fineprint/store/store.h"

namespace fineprint::session {

// Throws Error(unreadable) when there is no such file.
store::FileStamp stamp_of(const std::string& path);

// Sees that the document's file is there as it was when it was indexed; its content is read only
// when its time or size differ. Throws Error(unreadable) naming file and remedy.
void check_unchanged(const store::DocumentRow& document);

}  // namespace fineprint::session
