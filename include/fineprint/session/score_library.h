// Opens the library of GPU scoring kernels.
#pragma once

#include "fineprint/score/cuda.h"

namespace fineprint::session {

// Returns the functions of the library if there is at least one GPU to run them. Returns nullptr if
// this build has no library, if it cannot be opened or belongs to another build (both cause a
// warning), or if there is no GPU or driver. Looks at the first call; the library stays open until
// the process ends.
const score::CudaTable* cuda_scoring();

}  // namespace fineprint::session
