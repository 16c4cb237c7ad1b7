// Packs page graphs, and reads and writes their rows.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "fineprint/store/store.h"

#include "store/sqlite.h"

namespace fineprint::store {

// Layout: the number of pages; for each page the number of neighbours and the gaps between them.
std::string encode_graph(const score::PageGraph& graph);
// Throws BlobDamage, also if a neighbour is not a page of the graph.
score::PageGraph decode_graph(std::span<const std::uint8_t> blob);

void insert_graph(Database& database, std::int64_t document, std::int64_t set,
                  const StoredGraph& graph);
// Returns nullopt if there is no graph. Throws BlobDamage.
std::optional<StoredGraph> read_graph(Database& database, std::int64_t document, std::int64_t set);

}  // namespace fineprint::store
