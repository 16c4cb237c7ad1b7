// Quantises matrices to codes of eight bits.
#include "nets/products/quantise.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "nets/products/product.h"

namespace fineprint::nets {
namespace {

constexpr float kLargestCode = 127;

// Quantises one group of `count` values. Writes codes up to kCodesPerScale and returns the scale.
float quantise_group(const float* values, std::int64_t count, std::int8_t* codes,
                     QuantisationLoss* loss) {
  float largest = 0;
  for (std::int64_t i = 0; i < count; ++i) largest = std::max(largest, std::abs(values[i]));
  // The quotient of denormals would overflow. A group of such small values becomes zero.
  const float scale = largest < 0x1p-100F ? 0.0F : largest / kLargestCode;
  const float inverse = scale == 0 ? 0.0F : 1 / scale;
  for (std::int64_t i = 0; i < count; ++i) {
    const float code = std::clamp(std::nearbyint(values[i] * inverse), -kLargestCode, kLargestCode);
    codes[i] = static_cast<std::int8_t>(code);
    const double error = double{code * scale} - values[i];
    loss->squared_error += error * error;
    loss->squares += double{values[i]} * values[i];
  }
  std::fill(codes + count, codes + kCodesPerScale, std::int8_t{0});
  return scale;
}

}  // namespace

QuantisationLoss quantise_rows(const StoredMatrix& matrix, std::int64_t begin, std::int64_t end,
                               std::int8_t* codes, float* scales) {
  QuantisationLoss loss;
  const std::int64_t wide = quantised_columns(matrix.columns);
  std::vector<float> values(static_cast<std::size_t>(matrix.columns));
  for (std::int64_t row = begin; row < end; ++row) {
    widen(matrix, row, values.data());
    for (std::int64_t c = 0; c < matrix.columns; c += kCodesPerScale) {
      scales[(row * wide + c) / kCodesPerScale] =
          quantise_group(values.data() + c, std::min(kCodesPerScale, matrix.columns - c),
                         codes + row * wide + c, &loss);
    }
  }
  return loss;
}

}  // namespace fineprint::nets
