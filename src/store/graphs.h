// Page graphs: packing them, and their rows.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "fineprint/store/store.h"

#include "store/sqlite.h"

namespace fineprint::store {

// The number of pages; of each page how many neighbours and the gaps between them.
std::string encode_graph(const score::PageGraph& graph);
// Throws BlobDamage, also when a neighbour is not a page of the graph.
score::PageGraph decode_graph(std::span<const std::uint8_t> blob);

void insert_graph(Database& database, std::int64_t document, std::int64_t set,
                  const StoredGraph& graph);
// Throws BlobDamage.
std::optional<StoredGraph> read_graph(Database& database, std::int64_t document, std::int64_t set);

}  // namespace fineprint::store
