// What a store holds of each document, for lists and for records.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "fineprint/core/json_fwd.h"
#include "fineprint/session/document_filter.h"
#include "fineprint/store/store.h"

namespace fineprint::exchange {

// Units (pages, chunks, elements) of a document that a vector set has vectors of, and those that it
// lacks.
struct SetCount {
  std::int64_t vectors = 0, missing = 0;
};

struct Holding {
  store::DocumentRow row;
  std::map<std::string, SetCount> sets;  // that have any, or lack any; by name
  bool has_map = false;
  std::vector<int> problem_pages;  // that could not be read, or not whole; ascending
};

struct Collection {
  std::vector<Holding> documents;           // by `doc`
  std::vector<store::UnreadFile> failures;  // files of which nothing could be read, by `doc`
};

// What the filter leaves of both; a pattern may mean either. Throws what session::filtered does.
Collection collection(const store::Store& store, const session::DocumentFilter& filter);

// Records, as docs/formats.md has them.
Json describe(const Holding& holding);
Json describe(const store::UnreadFile& file);

}  // namespace fineprint::exchange
