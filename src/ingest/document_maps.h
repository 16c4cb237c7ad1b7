// Makes the document map of every document.
#pragma once

#include <cstdint>
#include <vector>

#include "fineprint/docmap/document_map.h"
#include "fineprint/ingest/ingest.h"

#include "ingest/run_estimate.h"

namespace fineprint::ingest {

// Throws Error(model) if the generator that should make maps cannot be used for that.
void check_map_maker(const IngestOptions& options);

// Makes maps of documents that have none, or one by another maker. A map is stored as soon as it is
// made; a model's map after each page. Returns the number of finished maps and reports progress to
// `estimate`. Problems of a document go into the report, and the other documents are mapped all the
// same.
std::int64_t update_document_maps(const IngestOptions& options, store::Store& store,
                                  RunEstimate& estimate, IngestReport* report);

// Returns the elements of a document's map by unit number, or nothing if there is no map or no such
// document.
std::vector<docmap::MappedElement> mapped_elements(const store::Store& store,
                                                   std::int64_t document);

}  // namespace fineprint::ingest
