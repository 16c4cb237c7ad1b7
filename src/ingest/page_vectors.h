// The vectors of page images of one set.
#pragma once

#include "fineprint/documents/reader.h"
#include "fineprint/ingest/ingest.h"

#include "ingest/set_plan.h"

namespace fineprint::ingest {

// Embeds all pages that the set (over pages, registered) lacks, while the pictures of the next are
// made. Adds what was embedded and what failed to `report`. Throws what ends the run; what was
// embedded until then is stored.
void embed_pages(PlannedSet& planned, const IngestOptions& options, const FindEncoder& find,
                 documents::Reader& reader, store::Store& store, IngestReport* report);

}  // namespace fineprint::ingest
