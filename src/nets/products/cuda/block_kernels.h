// Products with matrices that stay in blocks on a GPU. Takes raw pointers into the GPU's memory and
// a stream; allocates nothing and does not wait. Does not use LibTorch.
#pragma once

#include <cstdint>

#include "nets/products/blocks/codec.h"

namespace fineprint::nets {

// With more vectors than this, it is faster to widen rows first and multiply by LibTorch.
inline constexpr std::int64_t kFewVectors = 8;

// The functions of a GPU. All pointers, also those in `matrix`, are into the GPU's memory. Each
// function returns an error message if it could not be started, else nullptr.
struct BlockKernels {
  // Writes rows to `out` [count, columns] as bfloat16: rows `index` [count] of the matrix, or
  // `count` rows from `first` on if index is nullptr. The values are those of tensorfile::widen,
  // rounded once. If an index is outside the matrix, the program cannot use the GPU any more, as
  // with LibTorch's look-ups.
  const char* (*widen)(const StoredBlocks& matrix, const std::int64_t* index, std::int64_t first,
                       std::int64_t count, void* out, void* stream);
  // Computes y [vectors, rows] = x [vectors, columns] W^T, both bfloat16, with sums in float32.
  // Reads the matrix from memory once for each four vectors.
  const char* (*multiply)(const StoredBlocks& matrix, const void* x, std::int64_t vectors, void* y,
                          void* stream);
};

// Returns the kernels, or nullptr if the program was built without a compiler for GPUs.
const BlockKernels* block_kernels_of_gpu();

}  // namespace fineprint::nets
