// Products of query vectors with many stored vectors, as fast as memory delivers them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "fineprint/score/vector_rows.h"

namespace fineprint::score {

// Computes scores[r] = <query, row r>, accumulated in float32. The result is NaN if the row or the
// query contains NaN. A row's score does not depend on which other rows are scored with it. The
// kernel is chosen once, for the best available instruction set (portable, AVX2, AVX-512). Rows
// that start at a multiple of 64 bytes are read fastest.
void dot_rows(const float* query, const VectorRows& rows, float* scores);

// Computes scores[q * rows.count + r] = <queries[q], row r> for `query_count` queries of [dim].
// Reads each row once for all queries. Returns the same numbers as dot_rows up to the order of
// summation.
void dot_rows_many(const float* queries, std::size_t query_count, const VectorRows& rows,
                   float* scores);

// Returns |exact row - decoded row| for each row, rounded up: how far the product of a row of
// `codes` (i8) with a unit vector may be from that of the row of `exact` (float32).
std::vector<float> code_errors(const VectorRows& codes, const VectorRows& exact);

// Returns the best instruction set whose kernels this module uses: "avx512-vnni", "avx512", "avx2"
// or "portable".
std::string dense_kernel();
// Returns all instruction sets that this module has kernels for and this machine supports, best
// first. For tests and `fineprint doctor`.
std::vector<std::string> dense_kernels();
// Limits kernels to the instruction set `name`, one of dense_kernels(); an empty name selects the
// best again. Throws Error(internal) if this machine does not support it; see simd::limit_to.
void use_kernel(const std::string& name);

}  // namespace fineprint::score
