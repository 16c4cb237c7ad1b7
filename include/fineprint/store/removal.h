// Deletes a store.
#pragma once

#include <string>

namespace fineprint::store {

// Deletes the folder of a store. The store may be damaged or of any version, so that a folder that
// no longer opens can still be removed. Throws InUse if another process is writing to it, and
// Error(store) if it cannot be deleted.
void remove_store(const std::string& dir);

}  // namespace fineprint::store
