// Distinguishes failures of a document from failures of the run.
#pragma once

#include "fineprint/core/error.h"

namespace fineprint::ingest {

// Returns whether an error ends the whole run and not just one file.
inline bool ends_the_run(ErrorCode code) {
  return code == ErrorCode::store || code == ErrorCode::model || code == ErrorCode::interrupted;
}

}  // namespace fineprint::ingest
