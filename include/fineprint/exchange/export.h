// A store in forms that other programs read, so that nobody is locked in.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "fineprint/exchange/holdings.h"
#include "fineprint/store/store.h"

namespace fineprint::exchange {

// What of a store goes out.
struct Selection {
  std::vector<Holding> documents;
  std::vector<store::VectorSet> sets;  // whose vectors go along
};

// The sets of these names; all of the store where `names` is empty, none for "none" alone. Throws
// Error(usage) for a name that the store has no set of.
std::vector<store::VectorSet> chosen_sets(const store::Store& store,
                                          const std::vector<std::string>& names);

struct ExportCounts {
  std::int64_t documents = 0, pages = 0, chunks = 0, vectors = 0;  // vectors: units that have some
};

// Where pieces of a file go, one behind the other.
using Write = std::function<void(std::string_view)>;

// Everything as records, a line each (docs/formats.md): the store, then of each
// document itself, its pages with all words, chunks, map and vectors. Vectors are written so that
// they read back as the same float32, whatever the format that they are stored in.
ExportCounts export_records(const store::Store& store, const Selection& selection,
                            const Write& write);

// A file DOC.md for each document below `folder`. Throws Error(input) for a document whose name
// would lead out of it.
ExportCounts export_markdown(const store::Store& store, const Selection& selection,
                             const std::string& folder);

// For a collection of Qdrant: collection.json, the body that makes it, and points-00001.json and so
// on, the bodies that fill it: a point for each page, chunk or element that has vectors, which are
// named as the sets; those of several rows a unit are multi-vectors. Ids are made of document, unit
// and number: points that are sent again take the place of earlier ones.
ExportCounts export_qdrant(const store::Store& store, const Selection& selection,
                           const std::string& folder);

}  // namespace fineprint::exchange
