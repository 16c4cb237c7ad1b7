// Structural maps of documents: their rows.
#pragma once

#include <cstdint>
#include <optional>

#include "fineprint/store/store.h"

#include "store/sqlite.h"

namespace fineprint::store {

// Throws BlobDamage.
std::optional<StoredMap> read_map(Database& database, std::int64_t document);

}  // namespace fineprint::store
