// Makes the vectors of one set of pictures: of pages, or of elements cut out of pages.
#pragma once

#include "fineprint/documents/document_workers.h"
#include "fineprint/ingest/ingest.h"

#include "ingest/run_estimate.h"
#include "ingest/set_plan.h"

namespace fineprint::ingest {

// Embeds all pages or elements that the set lacks, while the next pictures are drawn. The set must
// be registered, and its model must see pictures. Adds results and failures to `report`, and
// progress to `estimate` (Phase::pictures). Throws errors that end the run; vectors made until then
// are stored.
void embed_pictures(PlannedSet& planned, const IngestOptions& options, const FindEncoder& find,
                    documents::DocumentWorkers& workers, store::Store& store, RunEstimate& estimate,
                    IngestReport* report);

}  // namespace fineprint::ingest
