// Reads document maps from a store.
#pragma once

#include <string>

#include "fineprint/docmap/document_map.h"
#include "fineprint/store/store.h"

namespace fineprint::docmap {

// Returns the document's map, which may not be complete yet. Throws Error(store) that names the
// `index` command that makes one if there is none.
DocumentMap stored_map(const store::Store& store, const store::DocumentRow& document);
// The same, but also throws Error(store) if the map lacks pages; the message names the command that
// completes it.
DocumentMap whole_map(const store::Store& store, const store::DocumentRow& document);

// Returns the map in the form in which a store keeps it.
store::StoredMap to_stored(const DocumentMap& map, std::string maker);

}  // namespace fineprint::docmap
