// Which pages of a document resemble each other, for every document of a set.
#pragma once

#include "fineprint/ingest/ingest.h"

namespace fineprint::ingest {

// Makes the graphs of documents that have none over the vectors of this set, or one
// with other options. By those of texts, pages are linked by the mean of their chunks' vectors. A
// page without vectors has no neighbours.
void update_page_graphs(const store::VectorSet& set, const IngestOptions& options,
                        store::Store& store);

}  // namespace fineprint::ingest
