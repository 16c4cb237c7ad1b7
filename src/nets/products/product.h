// y = x W^T + b with W as it is stored: its values are widened to float32 in registers. LibTorch is
// not seen here; what runs on which thread is the caller's affair.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "nets/products/matrix.h"

namespace fineprint::nets {

struct Product {
  StoredMatrix weight;          // [out, in]
  const float* x = nullptr;     // as arrange_vectors left it
  std::int64_t vectors = 0;     // at least 1
  const float* bias = nullptr;  // [out], or nullptr
  float* y = nullptr;           // [vectors, out]
};

// Floats that arrange_vectors needs for `vectors` of `columns` values; 0: the kernels read x where
// it lies.
std::int64_t arranged_size(std::int64_t vectors, std::int64_t columns);
// How many pieces arrange_vectors works in, which do not depend on each other.
std::int64_t arranged_groups(std::int64_t vectors);
// Lays the groups [begin, end) of x [vectors, columns] side by side into `out`, which is aligned to
// 64 bytes.
void arrange_vectors(const float* x, std::int64_t vectors, std::int64_t columns, std::int64_t begin,
                     std::int64_t end, float* out);

// Rows [begin, end) of W, for all vectors. What y[v, r] is depends on row r and vector v alone, to
// the last bit: not on the vectors beside it, their number, or the rows. Several threads may each
// do rows of their own. The matrix is read from memory once for each 30 vectors or so.
void multiply_rows(const Product& product, std::int64_t begin, std::int64_t end);

// A row as float32 values, the very ones that multiply_rows works with.
void widen(const StoredMatrix& matrix, std::int64_t row, float* out);

// "avx512", "avx2" or "portable": in use, and all that this machine can run, best first.
std::string product_kernel();
std::vector<std::string> product_kernels();
// simd::limit_to, for tests and measurements. Not to be called between arrange_vectors and
// multiply_rows.
bool use_product_kernel(const std::string& name);

}  // namespace fineprint::nets
