// The kernels behind dot_rows, one an instruction set; each in its own file.
#pragma once

#include <cstddef>

namespace fineprint::score {

// As dot_rows. The caller makes sure that the processor has the instructions.
using DotRows = void(const float* query, const float* rows, std::size_t count, std::size_t dim,
                     float* scores);

DotRows dot_rows_portable;
#if defined(__x86_64__)
DotRows dot_rows_avx2;
DotRows dot_rows_avx512;
#endif

}  // namespace fineprint::score
