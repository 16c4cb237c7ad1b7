// Matrices as codes of eight bits.
#pragma once

#include <cstdint>

#include "nets/products/matrix.h"

namespace fineprint::nets {

// Codes of a row of `columns` values, those behind its end included.
constexpr std::int64_t quantised_columns(std::int64_t columns) {
  return (columns + kCodesPerScale - 1) / kCodesPerScale * kCodesPerScale;
}

// What was lost, to be added up over rows.
struct QuantisationLoss {
  double squared_error = 0;  // sum over the values
  double squares = 0;        // of the values themselves
};

// Rows [begin, end) of a matrix of another format, symmetrically: the value of greatest size in
// each group of kCodesPerScale becomes 127 or -127, the others the nearest code. `codes` and
// `scales` are those of the whole matrix. No value is off by more than half its group's scale, to
// float32 rounding.
QuantisationLoss quantise_rows(const StoredMatrix& matrix, std::int64_t begin, std::int64_t end,
                               std::int8_t* codes, float* scales);

}  // namespace fineprint::nets
