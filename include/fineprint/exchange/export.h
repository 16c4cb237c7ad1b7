// Exports a store in forms that other programs can read, so that nobody is locked in.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "fineprint/exchange/holdings.h"
#include "fineprint/store/store.h"

namespace fineprint::exchange {

// What to export.
struct Selection {
  std::vector<Holding> documents;
  std::vector<store::VectorSet> sets;  // the vector sets whose vectors are exported
};

// Returns the vector sets of these names. Returns all sets of the store if `names` is empty, and
// none if it is only "none". Throws Error(usage) if the store has no set of a name.
std::vector<store::VectorSet> chosen_sets(const store::Store& store,
                                          const std::vector<std::string>& names);

// The numbers of what was exported.
struct ExportCounts {
  // vectors: units that have at least one.
  std::int64_t documents = 0, pages = 0, chunks = 0, vectors = 0;
};

// Receives the pieces of a file in order.
using Write = std::function<void(std::string_view)>;

// Writes everything as JSON Lines (docs/formats.md): the store, then for each document the document
// itself, its pages with all words, its chunks, its map and its vectors. Vectors are written so
// that they read back as the same float32, whatever format the store uses.
ExportCounts export_records(const store::Store& store, const Selection& selection,
                            const Write& write);

// Writes a file DOC.md for each document below `folder`. Throws Error(input) if the name of a
// document would lead out of the folder; nothing is written then.
ExportCounts export_markdown(const store::Store& store, const Selection& selection,
                             const std::string& folder);

// Writes the bodies of requests for Qdrant: collection.json creates the collection;
// points-00001.json and so on fill it. There is one point for each page, chunk or element with
// vectors. The vectors are named like their sets; units with several rows become multi-vectors. Ids
// are made of document, unit and number, so that points that are sent again replace the earlier
// ones.
ExportCounts export_qdrant(const store::Store& store, const Selection& selection,
                           const std::string& folder);

// Writes the vectors of all documents into a database with pgvector, a table for each set that is
// not sparse, and replaces what an earlier call wrote there. Throws Error(usage) if documents are
// left out, and Error(store) if vectors are missing or the database refuses; the tables of finished
// sets stay.
ExportCounts export_pgvector(const store::Store& store, const Selection& selection,
                             const std::string& address);

}  // namespace fineprint::exchange
