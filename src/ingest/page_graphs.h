// Links similar pages of each document.
#pragma once

#include "fineprint/ingest/ingest.h"

namespace fineprint::ingest {

// Makes graphs over the vectors of this set for documents that have none or one with other options.
// If the set is over texts, pages are compared by the mean of their chunks' vectors. A page without
// vectors has no neighbours.
void update_page_graphs(const store::VectorSet& set, const IngestOptions& options,
                        store::Store& store);

}  // namespace fineprint::ingest
