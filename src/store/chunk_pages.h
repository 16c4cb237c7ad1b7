// The pages of a document's chunks as one packed blob.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "store/sqlite.h"

namespace fineprint::store {

// Each page as its distance from the one before, which is mostly 0 or 1: a byte a chunk.
std::string encode_chunk_pages(const std::vector<std::int32_t>& pages);
// Throws BlobDamage.
std::vector<std::int32_t> decode_chunk_pages(std::span<const std::uint8_t> blob);

// Nothing for a document without chunks.
void insert_chunk_pages(Database& database, std::int64_t document,
                        const std::vector<std::int32_t>& pages);
// Empty when there are none. Throws BlobDamage.
std::vector<std::int32_t> read_chunk_pages(Database& database, std::int64_t document);

}  // namespace fineprint::store
