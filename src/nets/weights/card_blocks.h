// Matrices that stay in blocks on a GPU.
#pragma once

#include <ATen/core/Tensor.h>

#include "nets/products/cuda/block_kernels.h"
#include "nets/weights/products.h"

namespace fineprint::nets {

// The matrix's blocks, and scales that lie apart, on a device.
HeldMatrix blocks_on(at::Device device, HeldMatrix held);

// x W^T + b for bfloat16 x [..., in]: few vectors by a kernel that reads the blocks, many by
// LibTorch with rows that are widened piece by piece. Throws c10::Error when x is of another width
// or the GPU refuses.
at::Tensor multiply_on_card(const BlockKernels& kernels, const HeldMatrix& weight,
                            const at::Tensor& bias, const at::Tensor& x);

// Rows `index` [n] in bfloat16, [n, columns].
at::Tensor rows_on_card(const BlockKernels& kernels, const HeldMatrix& table,
                        const at::Tensor& index);

}  // namespace fineprint::nets
