// Which failures are a document's, and which the run's.
#pragma once

#include "fineprint/core/error.h"

namespace fineprint::ingest {

// Ends the run rather than one file.
inline bool ends_the_run(ErrorCode code) {
  return code == ErrorCode::store || code == ErrorCode::model || code == ErrorCode::interrupted;
}

}  // namespace fineprint::ingest
