// y = x W^T + b with W as it is stored; its values are widened to float32 in registers. Does not
// use LibTorch; the caller divides the work among threads.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "nets/products/matrix.h"

namespace fineprint::nets {

// One product.
struct Product {
  StoredMatrix weight;          // [out, in]
  const float* x = nullptr;     // the output of arrange_vectors
  std::int64_t vectors = 0;     // at least 1
  const float* bias = nullptr;  // [out], or nullptr
  float* y = nullptr;           // [vectors, out]
};

// Returns the floats that arrange_vectors writes for `vectors` of `columns` values; 0 if the
// kernels can read x in place.
std::int64_t arranged_size(std::int64_t vectors, std::int64_t columns);
// Returns into how many independent groups arrange_vectors divides the vectors.
std::int64_t arranged_groups(std::int64_t vectors);
// Arranges the groups [begin, end) of x [vectors, columns] in `out`, which must be aligned to 64
// bytes.
void arrange_vectors(const float* x, std::int64_t vectors, std::int64_t columns, std::int64_t begin,
                     std::int64_t end, float* out);

// Multiplies rows [begin, end) of W, for all vectors. y[v, r] depends only on row r and vector v,
// to the last bit, and not on other vectors, their number or the range of rows. Several threads may
// each multiply different rows. The matrix is read from memory once for about 30 vectors.
void multiply_rows(const Product& product, std::int64_t begin, std::int64_t end);

// Writes a row as float32 values, which are exactly the values that multiply_rows uses.
void widen(const StoredMatrix& matrix, std::int64_t row, float* out);

// Return the best instruction set whose kernel is in use, for example "avx2", and all sets that
// this machine can run, best first.
std::string product_kernel();
std::vector<std::string> product_kernels();
// Calls simd::limit_to; for tests and measurements. Do not call it between arrange_vectors and
// multiply_rows, because kernels arrange vectors differently.
bool use_product_kernel(const std::string& name);

}  // namespace fineprint::nets
