// Rows of numbers.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace fineprint {

// [rows, cols], row-major float32.
struct Matrix {
  std::size_t rows = 0;
  std::size_t cols = 0;
  std::vector<float> values;

  std::span<const float> row(std::size_t r) const { return {values.data() + r * cols, cols}; }
  std::span<float> row(std::size_t r) { return {values.data() + r * cols, cols}; }
};

}  // namespace fineprint
