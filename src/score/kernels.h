// All kernels of this module, by what they do and the instruction set that they need.
#pragma once

#include "fineprint/simd/kernel_table.h"

#include "score/dense_kernels.h"
#include "score/hybrid_mask_kernels.h"
#include "score/max_sim_kernels.h"

namespace fineprint::score {

struct KernelTables {
  simd::Kernels<DenseKernel> dense;
  simd::Kernels<DotCodes> codes;
  simd::Kernels<MaskKernel> mask;
  simd::Kernels<MaxSimKernel> max_sim;
  simd::Kernels<CodeKernel> max_sim_codes;  // none where codes would be slower than float32
};

const KernelTables& kernels();

}  // namespace fineprint::score
