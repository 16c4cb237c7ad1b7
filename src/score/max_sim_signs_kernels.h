// The function that each instruction set implements for MaxSim by signs.
#pragma once

#include <cstddef>
#include <cstdint>

namespace fineprint::score {

// The rows of a block. The last block of a page repeats its last row, which changes no maximum.
inline constexpr std::size_t kSignRows = 32;
// The bytes of a block for each pair of groups of four numbers: half of them for each group, whose
// byte j has the signs of row j in its lower four bits and those of row j + 16 in its upper four.
inline constexpr std::size_t kPairBytes = 32;

// For each vector n of a query and each row r of a block, computes sums[n * kSignRows + r] = the
// sum over the groups of the table's entry for the row's signs. tables: [vectors, pairs, 2, 16]; no
// sum may exceed 16 bits.
using SumSigns = void(const std::uint8_t* block, const std::uint8_t* tables, std::size_t pairs,
                      std::size_t vectors, std::uint16_t* sums);

// For each row r of a block, raises largest[r] to factors[r] * (sums[r] * step + base) if that is
// larger.
using RaiseLargest = void(const std::uint16_t* sums, const float* factors, float step, float base,
                          float* largest);

struct SignKernel {
  SumSigns* sum;
  RaiseLargest* raise;
};

extern const SignKernel kSignsPortable;
#if defined(__x86_64__)
extern const SignKernel kSignsAvx2;
#endif

}  // namespace fineprint::score
