// Quantises matrices to codes of eight bits.
#pragma once

#include <cstdint>

#include "nets/products/matrix.h"

namespace fineprint::nets {

// Returns the codes of a row of `columns` values, including those after its end.
constexpr std::int64_t quantised_columns(std::int64_t columns) {
  return (columns + kCodesPerScale - 1) / kCodesPerScale * kCodesPerScale;
}

// The error of quantisation, summed over rows.
struct QuantisationLoss {
  double squared_error = 0;  // sum of the squared errors
  double squares = 0;        // sum of the squared values
};

// Quantises rows [begin, end) of a matrix of another format. It is symmetric: the largest absolute
// value in each group of kCodesPerScale becomes 127 or -127, and every other one the nearest code.
// `codes` and `scales` point to those of the full matrix. No value is off by more than half the
// scale of its group, up to the rounding of float32.
QuantisationLoss quantise_rows(const StoredMatrix& matrix, std::int64_t begin, std::int64_t end,
                               std::int8_t* codes, float* scales);

}  // namespace fineprint::nets
