// Products of a query vector with many stored vectors, at the speed of memory.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace fineprint::score {

// scores[r] = <query, rows[r]> for r in [0, count); rows are [count, dim] row-major float32.
// The kernel is chosen once for the instruction set at hand (portable, AVX2+FMA, AVX-512).
void dot_rows(const float* query, const float* rows, std::size_t count, std::size_t dim,
              float* scores);

// The instruction set in use: "avx512", "avx2" or "portable".
std::string dense_kernel();
// All that this machine can run, best first. For tests and `doctor`.
std::vector<std::string> dense_kernels();
// The same product by a named kernel of `dense_kernels()`.
void dot_rows_with(const std::string& kernel, const float* query, const float* rows,
                   std::size_t count, std::size_t dim, float* scores);

}  // namespace fineprint::score
