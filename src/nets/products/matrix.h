// A large matrix as it lies in memory. Free of LibTorch.
#pragma once

#include <cstdint>

namespace fineprint::nets {

enum class MatrixFormat { float32, bfloat16, float16, int8 };

// int8: codes -127..127 that are multiplied by one scale for each row and kCodesPerScale columns.
constexpr std::int64_t kCodesPerScale = 64;

// [rows, columns], row-major, at any address that suits its values.
struct StoredMatrix {
  MatrixFormat format = MatrixFormat::float32;
  const void* values = nullptr;
  std::int64_t rows = 0, columns = 0;
  std::int64_t row_values = 0;    // from one row to the next; int8: a multiple of kCodesPerScale,
                                  // the codes behind a row's end being 0
  const float* scales = nullptr;  // int8: [rows, row_values / kCodesPerScale]
};

constexpr std::int64_t value_bytes(MatrixFormat format) {
  return format == MatrixFormat::float32 ? 4 : format == MatrixFormat::int8 ? 1 : 2;
}

}  // namespace fineprint::nets
