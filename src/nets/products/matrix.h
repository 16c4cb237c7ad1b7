// A large matrix in memory. Does not use LibTorch.
#pragma once

#include <cstdint>

namespace fineprint::nets {

// The number format of a matrix.
enum class MatrixFormat { float32, bfloat16, float16, int8 };

// int8: codes -127..127; each row has one scale for each kCodesPerScale columns.
constexpr std::int64_t kCodesPerScale = 64;

// A matrix [rows, columns], row-major. The address must be aligned for its values.
struct StoredMatrix {
  MatrixFormat format = MatrixFormat::float32;
  const void* values = nullptr;
  std::int64_t rows = 0, columns = 0;
  std::int64_t row_values = 0;    // from one row to the next; int8: a multiple of kCodesPerScale,
                                  // with codes 0 after a row's end
  const float* scales = nullptr;  // int8: [rows, row_values / kCodesPerScale]
};

// Returns the bytes of a value.
constexpr std::int64_t value_bytes(MatrixFormat format) {
  return format == MatrixFormat::float32 ? 4 : format == MatrixFormat::int8 ? 1 : 2;
}

}  // namespace fineprint::nets
