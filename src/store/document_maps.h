// The rows of document maps.
#pragma once

#include <cstdint>
#include <optional>

#include "fineprint/store/store.h"

#include "store/sqlite.h"

namespace fineprint::store {

// Returns nullopt if the document has no map. Throws BlobDamage.
std::optional<StoredMap> read_map(Database& database, std::int64_t document);

}  // namespace fineprint::store
