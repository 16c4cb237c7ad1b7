// Matrices of published quantised model folders: codes in one array, scales and zeros in others.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "fineprint/tensorfile/safetensors.h"

namespace fineprint::tensorfile {

// Where the codes of a matrix [rows, columns] are stored. A word is an I32 whose codes start at its
// lowest bits. For example, a word has eight codes of four bits. A group is a range of columns that
// shares a scale (and a zero) in each row.
enum class CodeLayout {
  // AutoAWQ's GEMM version (method: Lin et al., "AWQ", 2023): words [columns, rows / 8], scales
  // [groups, rows], zeros as words [groups, rows / 8]. The eight codes of a word belong to rows 0,
  // 2,
  // 4, 6, 1, 3, 5, 7.
  awq,
  // AutoGPTQ's (method: Frantar et al., "GPTQ", 2022): words [columns / codes per word, rows],
  // scales
  // [groups, rows], zeros as words [groups, rows / codes per word], and the group of each column.
  gptq,
  // compressed-tensors' "pack-quantized": words [rows, columns / codes per word], scales
  // [rows, groups], zeros as words [rows / codes per word, groups], and the group of each column.
  // If
  // there are no zeros, the middle code means zero.
  packed,
  // compressed-tensors' "int-quantized": one I8 for each code, zeros [rows, groups].
  int8,
  // One F8_E4M3 for each value. Source: Micikevicius et al., "FP8 Formats for Deep Learning"
  // (2022),
  // section 3.
  fp8,
};

// A matrix in codes. value = (code - zero) * scale
struct CodedMatrix {
  CodeLayout layout = CodeLayout::packed;
  int bits = 4;  // bits of a code: 4 or 8
  std::int64_t rows = 0, columns = 0;
  // Size of the block of values that shares a scale. Blocks at the edges of the matrix may be
  // smaller.
  std::int64_t block_rows = 1, block_columns = 0;
  bool zeros_less_one = false;  // true if zeros are stored minus one, as in GPTQ's first version
  TensorView codes, scales;
  std::optional<TensorView> zeros;
  // The group of each column (I32). If absent, groups are consecutive ranges of columns.
  std::optional<TensorView> groups;
};

// Returns the problem with types, shapes, sizes of groups or groups of columns, naming the array;
// an empty text if nothing is. widen() can decode every matrix that this accepts. Does not look at
// scales or codes, so it is fast.
std::string problem_of(const CodedMatrix& matrix);

// The number of rows that are decoded at a time.
inline constexpr std::int64_t kCodedRows = 64;

// Decodes rows from `first`, a multiple of kCodedRows. Decodes as many rows as `values` has room
// for: kCodedRows, or fewer at the end of the matrix. Each value is a product in float32, rounded
// once, and equals bit by bit what the reference implementations return for scales widened to
// float32. The matrix must pass problem_of().
void widen(const CodedMatrix& matrix, std::int64_t first, std::span<float> values);

// Returns true if its codes can be multiplied without decoding: if they are integers and each group
// is a range of columns whose length is a multiple of 32.
bool is_grouped(const CodedMatrix& matrix);

// Codes and scales of some rows of a matrix that is_grouped(). Codes are unsigned, 0 to 2^bits - 1,
// one byte each. value = scale * (code - zero), with a scale and a zero for each group of each row.
// Signed codes and their zeros are moved by 128.
struct CodeRows {
  std::span<std::uint8_t> codes;   // [rows, columns]
  std::span<float> scales, zeros;  // [rows, groups]
};
// Reads rows from `first` in the same ranges as widen(). The spans must have the sizes given above.
void take_rows(const CodedMatrix& matrix, std::int64_t first, const CodeRows& rows);

// Returns the number of groups in a row.
std::int64_t groups_of(const CodedMatrix& matrix);

// Returns true if every scale is finite and none is so large that a value overflows.
bool scales_are_finite(const CodedMatrix& matrix);

// Returns a name for people: "AWQ 4 bits", "GPTQ 8 bits", "FP8" or "INT8".
std::string coded_name(const CodedMatrix& matrix);

// Returns the bytes of all its arrays.
std::int64_t stored_bytes(const CodedMatrix& matrix);

}  // namespace fineprint::tensorfile
