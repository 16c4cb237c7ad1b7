// Lays out weights for products with many rows.
#include "nets/packed/panels.h"

#include <algorithm>
#include <cmath>

namespace fineprint::nets {
namespace {

constexpr float kLargestCode = 127;

// Rounds a value below 2^22 as std::nearbyint does, half to even, without calling a function: the
// sum has no digits after the point left.
float rounded(float value) {
  constexpr float kWhole = 0x1.8p23F;
  return (value + kWhole) - kWhole;
}

// Copies `count` values, or zeros for nullptr, and pads them with zeros to full panels.
std::vector<float> padded(const float* values, std::int64_t count) {
  std::vector<float> all(static_cast<std::size_t>(rounded_up(count, kPanel)), 0.0F);
  if (values != nullptr) std::copy_n(values, count, all.begin());
  return all;
}

// Returns the scale at which the largest value of a row becomes the largest code.
float scale_of(const float* row, std::int64_t columns) {
  float largest = 0;
  for (std::int64_t c = 0; c < columns; ++c) largest = std::max(largest, std::abs(row[c]));
  // The quotient of denormals would overflow. A row of such small values counts as zero.
  return largest < 0x1p-100F ? 0.0F : largest / kLargestCode;
}

}  // namespace

void fill_panels(const float* matrix, std::int64_t rows, std::int64_t columns,
                 std::int64_t row_step, float* panels) {
  constexpr std::int64_t kColumns = 16;  // their 32 rows stay in the first-level cache
  for (std::int64_t first = 0; first < rows; first += kPanel, panels += kPanel * columns) {
    const std::int64_t there = std::min(kPanel, rows - first);
    for (std::int64_t begin = 0; begin < columns; begin += kColumns) {
      const std::int64_t end = std::min(begin + kColumns, columns);
      for (std::int64_t r = 0; r < there; ++r) {
        const float* row = matrix + (first + r) * row_step;
        for (std::int64_t c = begin; c < end; ++c) panels[c * kPanel + r] = row[c];
      }
      for (std::int64_t c = begin; c < end && there < kPanel; ++c) {
        std::fill(panels + c * kPanel + there, panels + (c + 1) * kPanel, 0.0F);
      }
    }
  }
}

FloatPanels::FloatPanels(const float* matrix, const float* bias, std::int64_t rows,
                         std::int64_t columns)
    : rows_(rows),
      columns_(columns),
      values_(panel_values(rows, columns)),
      bias_(padded(bias, rows)) {
  fill_panels(matrix, rows, columns, columns, values_.data());
}

CodePanels::CodePanels(const float* matrix, const float* bias, std::int64_t rows,
                       std::int64_t columns)
    : rows_(rows),
      columns_(columns),
      codes_(rounded_up(rows, kPanel) * rounded_up(columns, kCodesAtATime)),
      bias_(padded(bias, rows)),
      scales_(padded(nullptr, rows)),
      sums_(padded(nullptr, rows)) {
  const std::int64_t wide = rounded_up(columns, kCodesAtATime);
  std::fill_n(codes_.data(), rounded_up(rows, kPanel) * wide, std::int8_t{0});
  for (std::int64_t r = 0; r < rows; ++r) {
    const float* row = matrix + r * columns;
    const float scale = scale_of(row, columns), inverse = scale == 0 ? 0.0F : 1 / scale;
    std::int8_t* to = codes_.data() + r / kPanel * kPanel * wide + r % kPanel * kCodesAtATime;
    std::int64_t sum = 0;
    for (std::int64_t c = 0; c < columns; c += kCodesAtATime, to += kPanel * kCodesAtATime) {
      const std::int64_t there = std::min(kCodesAtATime, columns - c);
      for (std::int64_t i = 0; i < there; ++i) {
        const float code = std::clamp(rounded(row[c + i] * inverse), -kLargestCode, kLargestCode);
        to[i] = static_cast<std::int8_t>(code);
        sum += to[i];
      }
    }
    scales_[static_cast<std::size_t>(r)] = scale;
    sums_[static_cast<std::size_t>(r)] = static_cast<float>(sum) * scale;
  }
}

}  // namespace fineprint::nets
