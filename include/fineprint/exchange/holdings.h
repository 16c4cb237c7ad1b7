// Lists what a store holds of each document, for listings and records.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "fineprint/core/json_fwd.h"
#include "fineprint/session/document_filter.h"
#include "fineprint/store/store.h"

namespace fineprint::exchange {

// The units (pages, chunks, elements) of a document that have vectors in a set, and the ones that
// lack them.
struct SetCount {
  std::int64_t vectors = 0, missing = 0;
};

// One document and what the store has of it.
struct Holding {
  store::DocumentRow row;
  std::map<std::string, SetCount> sets;  // by name; sets that have or lack vectors of the document
  bool has_map = false;
  std::vector<int> problem_pages;  // pages that could not be read, or only in part; ascending
  std::string problem;             // of the first of these pages; empty if there is none
};

// The documents and the failed files of a store.
struct Collection {
  std::vector<Holding> documents;           // sorted by `doc`
  std::vector<store::UnreadFile> failures;  // files of which nothing could be read, sorted by `doc`
};

// Returns the documents and failures that the filter selects. A pattern may match either. Throws
// what session::filtered throws.
Collection collection(const store::Store& store, const session::DocumentFilter& filter);

// Return the records that docs/formats.md describes.
Json describe(const Holding& holding);
Json describe(const store::UnreadFile& file);

}  // namespace fineprint::exchange
