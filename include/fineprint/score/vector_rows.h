// Rows of numbers in the formats of the store: float32, float16, bfloat16, or 8-bit codes with a
// scale.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace fineprint::score {

// The type of stored numbers.
enum class VectorType { f32, f16, bf16, i8 };

// Returns the bytes of one number.
constexpr std::size_t vector_type_bytes(VectorType type) {
  return type == VectorType::f32 ? 4 : type == VectorType::i8 ? 1 : 2;
}
// Returns "float32", "float16", "bfloat16" or "int8".
std::string_view vector_type_name(VectorType type);

// A view of [count, dim] row-major values. A row r of i8 means scales[r] * code, with codes from
// -127 to 127. Other types have no scales.
struct VectorRows {
  VectorType type = VectorType::f32;
  // Row by row without gaps. For f32, aligned like floats.
  const void* values = nullptr;
  const float* scales = nullptr;  // [count], only for i8
  std::size_t count = 0;
  std::size_t dim = 0;

  // Returns the first byte of row r.
  const std::uint8_t* row(std::size_t r) const {
    return static_cast<const std::uint8_t*>(values) + r * dim * vector_type_bytes(type);
  }
  // Returns rows [first, first + n).
  VectorRows slice(std::size_t first, std::size_t n) const {
    return {type, row(first), scales == nullptr ? nullptr : scales + first, n, dim};
  }
};

// Encoded rows that own their memory.
struct EncodedRows {
  VectorType type = VectorType::f32;
  std::size_t count = 0;
  std::size_t dim = 0;
  // The numbers of all rows, in the format of `type`.
  std::vector<std::uint8_t> values;
  std::vector<float> scales;  // only for i8

  // Returns a view that is valid while this object lives and is not changed.
  VectorRows view() const {
    return {type, values.data(), scales.empty() ? nullptr : scales.data(), count, dim};
  }
};

// Encodes float32 values [count, dim] as `type`, rounding to nearest even. For i8 the scale of a
// row is its largest magnitude / 127 (0 for a row of zeros). NaN stays NaN in the float types. An
// i8 row that contains NaN or an infinity gets a NaN scale, so that every product with it is NaN.
// Throws Error(internal) if there are not count * dim values.
EncodedRows encode_rows(std::span<const float> values, std::size_t count, std::size_t dim,
                        VectorType type);

// Decodes row r to float32 [dim].
void decode_row(const VectorRows& rows, std::size_t r, float* out);

}  // namespace fineprint::score
