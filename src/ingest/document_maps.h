// The structural map of every document.
#pragma once

#include <cstdint>
#include <vector>

#include "fineprint/docmap/document_map.h"
#include "fineprint/ingest/ingest.h"

#include "ingest/run_estimate.h"

namespace fineprint::ingest {

// Throws Error(model) when the generator that is to make maps cannot be one.
void check_map_maker(const IngestOptions& options);

// Makes the maps of documents that have none, or one of another maker; each is in the store as soon
// as it is made, by a model as soon as one page more is. Returns how many were finished; `estimate`
// is told of each. What is wrong with a document goes into the report, and the others are mapped
// all the same.
std::int64_t update_document_maps(const IngestOptions& options, store::Store& store,
                                  RunEstimate& estimate, IngestReport* report);

// The elements of a document's map, by unit number; none when there is no map, or the document is
// gone.
std::vector<docmap::MappedElement> mapped_elements(const store::Store& store,
                                                   std::int64_t document);

}  // namespace fineprint::ingest
