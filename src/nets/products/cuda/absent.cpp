// Used if the build has no compiler for GPUs.
#include "nets/products/cuda/block_kernels.h"

namespace fineprint::nets {

const BlockKernels* block_kernels_of_gpu() { return nullptr; }

}  // namespace fineprint::nets
