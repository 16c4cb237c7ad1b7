// The arrays of a coded matrix: their extents, and access to single elements.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#include "fineprint/tensorfile/block_layouts.h"
#include "fineprint/tensorfile/coded.h"

namespace fineprint::tensorfile {

inline std::int64_t divided_up(std::int64_t count, std::int64_t by) {
  return (count + by - 1) / by;
}

// Returns the codes in a word of 32 bits, for layouts that use words.
inline std::int64_t codes_in_word(const CodedMatrix& matrix) { return 32 / matrix.bits; }

// Return the number of scales along the rows and along the columns.
inline std::int64_t scale_rows(const CodedMatrix& matrix) {
  return divided_up(matrix.rows, matrix.block_rows);
}
inline std::int64_t scale_columns(const CodedMatrix& matrix) {
  return divided_up(matrix.columns, matrix.block_columns);
}

// Returns true if scales and zeros are stored [across, down].
inline bool scales_across_first(const CodedMatrix& matrix) {
  return matrix.layout == CodeLayout::awq || matrix.layout == CodeLayout::gptq;
}

// Reads element `at` of an array of I32, aligned or not.
inline std::int32_t word_at(const TensorView& view, std::int64_t at) {
  std::int32_t word = 0;
  std::memcpy(&word, view.bytes.data() + static_cast<std::size_t>(at) * sizeof word, sizeof word);
  return word;
}

// Reads element `at` of an array of F16, BF16 or F32, widened exactly.
inline float number_at(const TensorView& view, std::int64_t at) {
  const std::uint8_t* place =
      view.bytes.data() + static_cast<std::size_t>(at) * dtype_bytes(view.dtype);
  if (view.dtype == Dtype::f16) return half_at(place);
  if (view.dtype == Dtype::bf16) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(little_u16(place)) << 16);
  }
  float number = 0;
  std::memcpy(&number, place, sizeof number);
  return number;
}

}  // namespace fineprint::tensorfile
