// Matrices that stay in blocks of codes.
#pragma once

#include <ATen/core/Tensor.h>

#include "fineprint/tensorfile/blocks.h"

#include "nets/weights/products.h"

namespace fineprint::nets {

// What products call a type of blocks.
Codec codec_of(tensorfile::BlockType type);

// Whether products take a matrix [rows, columns] in such blocks: not one of fewer rows than they
// unpack together.
bool may_stay_in_blocks(std::int64_t rows);

std::int64_t columns_of_blocks(const HeldMatrix& held);

// What products are told of it, where it lies.
StoredBlocks stored_blocks(const HeldMatrix& held);

// On the CPU: y [..., out] = x [..., in] W^T + b, as products.h says. Throws c10::Error when x is
// of another width.
void multiply_blocks(const HeldMatrix& weight, const at::Tensor& bias, const at::Tensor& x,
                     const at::Tensor& y);

// Rows `index` [n] in float32, [n, columns]: of GGUF's blocks what tensorfile::widen makes of them.
at::Tensor block_rows(const HeldMatrix& table, const at::Tensor& index);

}  // namespace fineprint::nets
