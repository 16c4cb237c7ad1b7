// Matrices that stay in blocks of codes: 4 to 8 bits for each weight instead of 16 or 32.
#pragma once

#include <ATen/core/Tensor.h>

#include "fineprint/tensorfile/blocks.h"

#include "nets/weights/products.h"

namespace fineprint::nets {

// Returns the codec of the products for a type of blocks.
Codec codec_of(tensorfile::BlockType type);

// Returns true if products can take a matrix of this many rows in blocks. They unpack several rows
// together, so it needs at least as many.
bool may_stay_in_blocks(std::int64_t rows);

// Returns the number of columns of the matrix that the blocks encode.
std::int64_t columns_of_blocks(const HeldMatrix& held);

// Returns a view of the blocks for the products; `held` must outlive it.
StoredBlocks stored_blocks(const HeldMatrix& held);

// On the CPU, writes y [..., out] = x [..., in] W^T + b, as products.h describes. Throws c10::Error
// if x has another width.
void multiply_blocks(const HeldMatrix& weight, const at::Tensor& bias, const at::Tensor& x,
                     const at::Tensor& y);

// Returns rows `index` [n] in float32, [n, columns]. For blocks of GGUF, the values are exactly
// those of tensorfile::widen.
at::Tensor block_rows(const HeldMatrix& table, const at::Tensor& index);

}  // namespace fineprint::nets
