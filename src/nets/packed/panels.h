// Weights for products with many rows, cut into panels so that values that a kernel multiplies
// together are next to each other. The layout is the same for every processor. Does not use
// LibTorch.
#pragma once

#include <cstdint>
#include <memory>
#include <new>
#include <vector>

namespace fineprint::nets {

// Rows of the matrix [out, in] that share a panel.
constexpr std::int64_t kPanel = 32;
// Neighbouring columns whose codes are multiplied together.
constexpr std::int64_t kCodesAtATime = 4;

// Returns the smallest multiple that is at least `count`.
constexpr std::int64_t rounded_up(std::int64_t count, std::int64_t multiple) {
  return (count + multiple - 1) / multiple * multiple;
}

// Memory aligned to cache lines, not initialised.
template <typename Value>
class Lines {
 public:
  Lines() = default;
  explicit Lines(std::int64_t size)
      : values_(static_cast<Value*>(
            ::operator new(static_cast<std::size_t>(size) * sizeof(Value), kAlignment))) {}

  Value* data() { return values_.get(); }
  const Value* data() const { return values_.get(); }

 private:
  static constexpr std::align_val_t kAlignment{64};
  struct Free {
    void operator()(Value* values) const { ::operator delete(values, kAlignment); }
  };
  std::unique_ptr<Value, Free> values_;
};

// Returns the number of floats of a matrix in panels.
constexpr std::int64_t panel_values(std::int64_t rows, std::int64_t columns) {
  return rounded_up(rows, kPanel) * columns;
}
// Lays rows of `row_step` floats into panels [rows / kPanel, columns, kPanel]. Rows after the last
// one are 0.
void fill_panels(const float* matrix, std::int64_t rows, std::int64_t columns,
                 std::int64_t row_step, float* panels);

// A layer's matrix [out, in] and bias in float32.
class FloatPanels {
 public:
  // `bias` may be nullptr. Copies both.
  FloatPanels(const float* matrix, const float* bias, std::int64_t rows, std::int64_t columns);

  std::int64_t rows() const { return rows_; }
  std::int64_t columns() const { return columns_; }
  const float* values() const { return values_.data(); }
  const float* bias() const { return bias_.data(); }  // 0 if there is none

 private:
  std::int64_t rows_, columns_;
  Lines<float> values_;
  std::vector<float> bias_;  // [rows rounded up to full panels]
};

// A layer's matrix as codes of eight bits, -127 to 127, with one scale for each row:
// [rows / kPanel, columns / kCodesAtATime, kPanel, kCodesAtATime]. Codes after the last row or
// column are 0.
class CodePanels {
 public:
  // `bias` may be nullptr. Rounds and copies both.
  CodePanels(const float* matrix, const float* bias, std::int64_t rows, std::int64_t columns);

  std::int64_t rows() const { return rows_; }
  std::int64_t columns() const { return columns_; }
  const std::int8_t* codes() const { return codes_.data(); }
  const float* bias() const { return bias_.data(); }
  const float* scales() const { return scales_.data(); }  // [rows rounded up to full panels]
  // For each row, the sum of its codes times its scale.
  const float* sums() const { return sums_.data(); }

 private:
  std::int64_t rows_, columns_;
  Lines<std::int8_t> codes_;
  std::vector<float> bias_, scales_, sums_;
};

}  // namespace fineprint::nets
