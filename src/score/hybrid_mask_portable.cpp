// The three sweeps of hybrid-mask scoring in plain C++.
#include <algorithm>
#include <bit>
#include <cmath>

#include "score/hybrid_mask_kernels.h"

namespace fineprint::score {
namespace {

float agreement_of(float product, const Agreement& agreement) {
  return std::bit_cast<float>((std::bit_cast<std::uint32_t>(product) & agreement.keep) ^
                              agreement.flip);
}

ProductSums sum_products(const MaskRow& row, const Agreement& agreement) {
  ProductSums sums;
  for (std::size_t i = 0; i < row.dim; ++i) {
    const float product = row.query[i] * row.row[i];
    const double value = product;
    const double of_row = row.row[i];
    row.agreement[i] = agreement_of(product, agreement);
    sums.agreement += row.agreement[i];
    sums.product += value;
    sums.product_squares += value * value;
    sums.row_squares += of_row * of_row;
  }
  return sums;
}

// Always clamps. If squash.hold is false, that changes nothing.
SquashedSums sum_squashed(const float* agreement, std::size_t dim, const Squash& squash) {
  SquashedSums sums;
  for (std::size_t i = 0; i < dim; ++i) {
    const double exponent = double{agreement[i]} * squash.slope + squash.offset;
    const double held = std::clamp<double>(exponent, -kLargestExponent, kLargestExponent);
    const double sigma = 1 / (1 + std::exp2(held));
    sums.sum += sigma;
    sums.squares += sigma * sigma;
  }
  return sums;
}

// Adds the row once for each threshold that x exceeds: this gives 2 M row.
MaskedSums sum_masked(const MaskRow& row, float low, float high) {
  MaskedSums sums;
  for (std::size_t i = 0; i < row.dim; ++i) {
    const float x = row.agreement[i];
    const double masked = row.row[i] * ((x > low ? 1.0 : 0.0) + (x > high ? 1.0 : 0.0));
    sums.product += row.query[i] * masked;
    sums.row_squares += masked * masked;
  }
  return sums;
}

}  // namespace

const MaskKernel kMaskPortable = {sum_products, sum_squashed, sum_masked};

}  // namespace fineprint::score
