// Matrices that stay in blocks on a GPU: raw pointers into its memory and a stream, no allocation,
// no waiting. LibTorch is not seen here.
#pragma once

#include <cstdint>

#include "nets/products/blocks/codec.h"

namespace fineprint::nets {

// More vectors are multiplied with rows that are widened first.
inline constexpr std::int64_t kFewVectors = 8;

// Pointers are the GPU's, those in `matrix` too. Each gives what went wrong when it was started, or
// nullptr.
struct BlockKernels {
  // Rows `index` [count] of the matrix, or `count` from `first` where index is nullptr, as bfloat16
  // out [count, columns]: what tensorfile::widen gives, rounded once. An index beyond the matrix
  // ends the program's use of the GPU, as LibTorch's look-ups do.
  const char* (*widen)(const StoredBlocks& matrix, const std::int64_t* index, std::int64_t first,
                       std::int64_t count, void* out, void* stream);
  // y [vectors, rows] = x [vectors, columns] W^T, both bfloat16, summed in float32. The matrix is
  // read from memory once for four vectors.
  const char* (*multiply)(const StoredBlocks& matrix, const void* x, std::int64_t vectors, void* y,
                          void* stream);
};

// nullptr in a program that was built without a compiler for GPUs.
const BlockKernels* block_kernels_of_card();

}  // namespace fineprint::nets
