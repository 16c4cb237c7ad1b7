// Joins several stores into one, as if a single run had indexed all their documents.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fineprint/store/store.h"

namespace fineprint::ingest {

// What `join_stores` did.
struct JoinReport {
  std::int64_t documents = 0, pages = 0;  // added to the store
  std::int64_t known = 0;                 // documents that `into` had already, unchanged
  std::int64_t lacking = 0;               // units without vectors in a set of the joined store
};

// Adds the contents of the stores `from` to `into`: documents with their text, vectors, graphs and
// maps, and the files that could not be read. Term statistics are computed again, so that rankings
// are those of a single store. Vectors stored as "int8" are copied from their codes; others are
// copied from the exact values if there are any. If the process is killed, the same call continues.
// Throws Error(input) before anything is written if two stores have different documents of one
// name, have read a document with different settings, or have vector sets of one name by different
// models.
JoinReport join_stores(const std::vector<std::string>& from, store::Store& into);

}  // namespace fineprint::ingest
