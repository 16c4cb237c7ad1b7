// The structural map of every document.
#pragma once

#include <cstdint>

#include "fineprint/ingest/ingest.h"

namespace fineprint::ingest {

// Makes the maps of documents that have none, or one of another maker; each is in the store as soon
// as it is made. Returns how many were made.
std::int64_t update_document_maps(const IngestOptions& options, store::Store& store);

}  // namespace fineprint::ingest
