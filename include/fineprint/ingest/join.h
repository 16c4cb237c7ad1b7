// Several stores become one, as if one run had indexed all their documents.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fineprint/store/store.h"

namespace fineprint::ingest {

struct JoinReport {
  std::int64_t documents = 0, pages = 0;  // that were added
  std::int64_t known = 0;                 // documents that `into` had already, the same
  std::int64_t lacking = 0;               // units without vectors in sets that others have
};

// Adds what the stores hold to `into`: documents with their text, vectors, graphs and maps, and the
// files that could not be read. Keywords are counted anew, so that rankings are those of one store.
// Vectors of "int8" are written from their codes, others from what they were made of or as they
// are. Killed at any moment, the same call goes on. Throws Error(input) before anything is written
// where two stores have unlike documents of one name, or documents read with other settings, and
// vector sets of one name by other models.
JoinReport join_stores(const std::vector<std::string>& from, store::Store& into);

}  // namespace fineprint::ingest
