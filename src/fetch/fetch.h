// Brings the copies of one address up to date.
#pragma once

#include "fineprint/core/retry.h"
#include "fineprint/documents/fetching.h"

namespace fineprint::fetch {

// See documents::FetchTable. `waiting` makes the pauses between attempts.
documents::FetchReport fetch(const documents::FetchRequest& request, const Waiting& waiting);

}  // namespace fineprint::fetch
