// Rows of numbers as the store keeps them: float32, float16, bfloat16, or 8-bit codes with a scale.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace fineprint::score {

enum class VectorType { f32, f16, bf16, i8 };

constexpr std::size_t vector_type_bytes(VectorType type) {
  return type == VectorType::f32 ? 4 : type == VectorType::i8 ? 1 : 2;
}
std::string_view vector_type_name(VectorType type);  // "float32", "float16", "bfloat16", "int8"

// A view of [count, dim] row-major values. An i8 row r stands for scales[r] * code, codes in
// -127..127; other types have no scales.
struct VectorRows {
  VectorType type = VectorType::f32;
  const void* values = nullptr;
  const float* scales = nullptr;  // [count], of i8 only
  std::size_t count = 0;
  std::size_t dim = 0;

  const std::uint8_t* row(std::size_t r) const {
    return static_cast<const std::uint8_t*>(values) + r * dim * vector_type_bytes(type);
  }
  // Rows [first, first + n).
  VectorRows slice(std::size_t first, std::size_t n) const {
    return {type, row(first), scales == nullptr ? nullptr : scales + first, n, dim};
  }
};

// The same rows with memory of their own.
struct EncodedRows {
  VectorType type = VectorType::f32;
  std::size_t count = 0;
  std::size_t dim = 0;
  std::vector<std::uint8_t> values;
  std::vector<float> scales;  // of i8 only

  VectorRows view() const {
    return {type, values.data(), scales.empty() ? nullptr : scales.data(), count, dim};
  }
};

// float32 [count, dim] into `type`, rounding to nearest even. i8: the scale of a row is its largest
// magnitude / 127 (0 for a row of zeros). NaN stays NaN in the float types; a row of i8 that holds
// NaN or an infinity has NaN for its scale, so that every product with it is NaN. Throws
// Error(internal) when `values` are not count * dim.
EncodedRows encode_rows(std::span<const float> values, std::size_t count, std::size_t dim,
                        VectorType type);

// Row r as float32 [dim].
void decode_row(const VectorRows& rows, std::size_t r, float* out);

}  // namespace fineprint::score
