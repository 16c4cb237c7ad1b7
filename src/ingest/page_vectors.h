// The vectors of pictures of one set: of pages, or of elements cut out of them.
#pragma once

#include "fineprint/documents/reader.h"
#include "fineprint/ingest/ingest.h"

#include "ingest/run_estimate.h"
#include "ingest/set_plan.h"

namespace fineprint::ingest {

// Embeds all pages or elements that the set (registered; its model sees pictures) lacks, while the
// pictures of the next are made. Adds what was embedded and what failed to `report`, and what is
// done to `estimate` (Phase::pictures). Throws what ends the run; what was embedded until then
// is stored.
void embed_pictures(PlannedSet& planned, const IngestOptions& options, const FindEncoder& find,
                    documents::Reader& reader, store::Store& store, RunEstimate& estimate,
                    IngestReport* report);

}  // namespace fineprint::ingest
