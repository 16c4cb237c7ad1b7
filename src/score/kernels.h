// All kernels of this module, by purpose and required instruction set.
#pragma once

#include "fineprint/simd/kernel_table.h"

#include "score/dense_kernels.h"
#include "score/hybrid_mask_kernels.h"
#include "score/max_sim_kernels.h"
#include "score/max_sim_signs_kernels.h"

namespace fineprint::score {

// Several instruction sets may implement a kernel; simd picks the best that this machine has.
struct KernelTables {
  simd::Kernels<DenseKernel> dense;
  simd::Kernels<MaskKernel> mask;
  simd::Kernels<MaxSimKernel> max_sim;
  simd::Kernels<CodeKernel> max_sim_codes;  // empty if codes would be slower than float32
  simd::Kernels<SignKernel> max_sim_signs;
};

// Returns the tables, created at the first call.
const KernelTables& kernels();

}  // namespace fineprint::score
