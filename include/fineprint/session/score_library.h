// Opens the library of scoring kernels for GPUs.
#pragma once

#include "fineprint/score/cuda.h"

namespace fineprint::session {

// The library's functions, with at least one GPU to run them on. nullptr when this build has none,
// it cannot be opened or belongs to another build (which is warned of), or there is no GPU or
// driver. Looked for at the first call; it stays open until the process ends.
const score::CudaTable* cuda_scoring();

}  // namespace fineprint::session
