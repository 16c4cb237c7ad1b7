// Products of query vectors with many stored vectors, at the speed of memory.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "fineprint/score/fusion.h"
#include "fineprint/score/vector_rows.h"

namespace fineprint::score {

// scores[r] = <query, row r>, accumulated in float32; NaN where a row or the query holds one. What
// a row scores does not depend on the rows beside it. The kernel is chosen once for the instruction
// set at hand (portable, AVX2, AVX-512). Rows that start at a multiple of 64 bytes are read
// fastest.
void dot_rows(const float* query, const VectorRows& rows, float* scores);

// scores[q * rows.count + r] = <queries[q], row r> for `query_count` queries of [dim]. Every row is
// read once for all of them. The same numbers as dot_rows up to the order of summation.
void dot_rows_many(const float* queries, std::size_t query_count, const VectorRows& rows,
                   float* scores);

// The k best of `exact` (float32 rows; all when k is 0), found by scanning `codes` (the same rows
// as i8) and rescoring exactly every row that the rounding of the codes could have kept out of the
// first k. The result equals that of dot_rows over `exact` and top_k. `errors[r]` bounds the
// distance |exact row - decoded row|. Throws Error(internal) when the three do not describe the
// same rows.
std::vector<Scored> exact_top_k(const float* query, const VectorRows& codes,
                                std::span<const float> errors, const VectorRows& exact,
                                std::size_t k);
// |exact row - decoded row| for each row, rounded up.
std::vector<float> code_errors(const VectorRows& codes, const VectorRows& exact);

// The best instruction set whose kernels this module uses: "avx512-vnni", "avx512", "avx2" or
// "portable".
std::string dense_kernel();
// All that make a difference to this module and that this machine has, best first. For tests and
// `doctor`. A name may be given to use_kernel, which is simd::limit_to but for Error(internal) when
// this machine cannot; empty: the best.
std::vector<std::string> dense_kernels();
void use_kernel(const std::string& name);

}  // namespace fineprint::score
