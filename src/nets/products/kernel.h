// The functions that each instruction set implements for product.h, each in a file of its own.
#pragma once

#include <cstdint>

#include "fineprint/simd/kernel_table.h"

#include "nets/products/product.h"

namespace fineprint::nets {

// Values of x are stored in chunks: [columns / kChunk, vectors of the group, kChunk].
constexpr std::int64_t kChunk = 16;

// The functions of one instruction set. The caller makes sure that the processor has it.
struct ProductKernel {
  std::int64_t group = 0;  // the most vectors that are multiplied together
  void (*multiply)(const Product& product, std::int64_t begin, std::int64_t end) = nullptr;
  void (*widen)(const StoredMatrix& matrix, std::int64_t row, float* out) = nullptr;
};

extern const ProductKernel kProductPortable;
#if defined(__x86_64__)
extern const ProductKernel kProductAvx2;
extern const ProductKernel kProductAvx512;
#elif defined(__aarch64__)
extern const ProductKernel kProductNeon;
#endif

// Divide vectors into as few groups as possible, whose sizes are as equal as possible. For example,
// 7 vectors with at most 6 each become groups of 4 and 3.
constexpr std::int64_t group_count(std::int64_t vectors, std::int64_t most) {
  return (vectors + most - 1) / most;
}
constexpr std::int64_t group_begin(std::int64_t vectors, std::int64_t groups, std::int64_t group) {
  return vectors / groups * group + (group < vectors % groups ? group : vectors % groups);
}
// Returns the columns of an arranged vector: zeros fill it up to full cache lines of any format.
constexpr std::int64_t arranged_columns(std::int64_t columns) {
  return (columns + kCodesPerScale - 1) / kCodesPerScale * kCodesPerScale;
}

}  // namespace fineprint::nets
