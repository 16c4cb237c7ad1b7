// Products with matrices that stay in blocks of codes on a GPU.
#pragma once

#include <ATen/core/Tensor.h>

#include "nets/products/cuda/block_kernels.h"
#include "nets/weights/products.h"

namespace fineprint::nets {

// Returns the matrix with its blocks, and separate scales if it has any, on a device.
HeldMatrix blocks_on(at::Device device, HeldMatrix held);

// Returns x W^T + b for bfloat16 x [..., in]. Multiplies few vectors by a kernel that reads the
// blocks, and many by LibTorch with rows that are widened piece by piece. Throws c10::Error if x
// has another width or the GPU reports an error.
at::Tensor multiply_on_gpu(const BlockKernels& kernels, const HeldMatrix& weight,
                           const at::Tensor& bias, const at::Tensor& x);

// Returns the rows `index` [n] in bfloat16, [n, columns].
at::Tensor rows_on_gpu(const BlockKernels& kernels, const HeldMatrix& table,
                       const at::Tensor& index);

}  // namespace fineprint::nets
