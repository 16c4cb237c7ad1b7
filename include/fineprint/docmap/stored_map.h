// Maps as a store has them.
#pragma once

#include <string>

#include "fineprint/docmap/document_map.h"
#include "fineprint/store/store.h"

namespace fineprint::docmap {

// The document's map, as far as it is made. Throws Error(store) naming the `index` command that
// makes one when there is none.
DocumentMap stored_map(const store::Store& store, const store::DocumentRow& document);
// The same, and Error(store) for a map that lacks pages, naming the command that goes on with it.
DocumentMap whole_map(const store::Store& store, const store::DocumentRow& document);

// As a store keeps it.
store::StoredMap to_stored(const DocumentMap& map, std::string maker);

}  // namespace fineprint::docmap
