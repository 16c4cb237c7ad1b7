// The end of a store.
#pragma once

#include <string>

namespace fineprint::store {

// Deletes the folder of a store, whole or damaged, of whatever version. Throws InUse when another
// process writes to it, Error(store) when it cannot be deleted.
void remove_store(const std::string& dir);

}  // namespace fineprint::store
