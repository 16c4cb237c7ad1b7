// A dense matrix of numbers.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace fineprint {

// float32 values of shape [rows, cols], row by row. `values.size() == rows * cols` always holds.
struct Matrix {
  std::size_t rows = 0;
  std::size_t cols = 0;
  // Row by row: value (r, c) is values[r * cols + c].
  std::vector<float> values;

  // Returns row `r`, counted from 0. Not checked against `rows`.
  std::span<const float> row(std::size_t r) const { return {values.data() + r * cols, cols}; }
  std::span<float> row(std::size_t r) { return {values.data() + r * cols, cols}; }
};

}  // namespace fineprint
