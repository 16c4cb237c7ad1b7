// What every instruction set has of its own behind product.h; each in its own file.
#pragma once

#include <cstdint>

#include "fineprint/simd/kernel_table.h"

#include "nets/products/product.h"

namespace fineprint::nets {

// Values of x are laid out in chunks: [columns / kChunk, vectors of the group, kChunk].
constexpr std::int64_t kChunk = 16;

// The caller makes sure that the processor has the instructions.
struct ProductKernel {
  std::int64_t group = 0;  // vectors that are multiplied at a time, at most
  void (*multiply)(const Product& product, std::int64_t begin, std::int64_t end) = nullptr;
  void (*widen)(const StoredMatrix& matrix, std::int64_t row, float* out) = nullptr;
};

extern const ProductKernel kProductPortable;
#if defined(__x86_64__)
extern const ProductKernel kProductAvx2;
extern const ProductKernel kProductAvx512;
#endif

// Vectors are divided into as few groups as there can be, of sizes as equal as there can be.
constexpr std::int64_t group_count(std::int64_t vectors, std::int64_t most) {
  return (vectors + most - 1) / most;
}
constexpr std::int64_t group_begin(std::int64_t vectors, std::int64_t groups, std::int64_t group) {
  return vectors / groups * group + (group < vectors % groups ? group : vectors % groups);
}
// With zeros behind its end up to whole lines of any format.
constexpr std::int64_t arranged_columns(std::int64_t columns) {
  return (columns + kCodesPerScale - 1) / kCodesPerScale * kCodesPerScale;
}

}  // namespace fineprint::nets
