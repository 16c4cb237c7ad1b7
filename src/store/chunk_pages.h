// Stores the pages of a document's chunks in one row.
#pragma once

#include <cstdint>
#include <vector>

#include "store/sqlite.h"

namespace fineprint::store {

// Writes no row for a document without chunks.
void insert_chunk_pages(Database& database, std::int64_t document,
                        const std::vector<std::int32_t>& pages);
// Returns an empty list if the document has no chunks. Throws BlobDamage.
std::vector<std::int32_t> read_chunk_pages(Database& database, std::int64_t document);

}  // namespace fineprint::store
