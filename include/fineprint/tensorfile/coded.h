// Matrices of published quantised folders: codes in one array, what they stand for in others.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "fineprint/tensorfile/safetensors.h"

namespace fineprint::tensorfile {

// How the codes of a matrix [rows, columns] lie. A word is an I32, its codes lowest bits first; a
// group is a stretch of columns that shares a scale (and a zero) in each row.
enum class CodeLayout {
  // AutoAWQ's GEMM version (Lin et al., "AWQ", 2023, is the method): words [columns, rows / 8],
  // scales [groups, rows], zeros as words [groups, rows / 8]; the eight codes of a word are those
  // of rows 0, 2, 4, 6, 1, 3, 5, 7.
  awq,
  // AutoGPTQ's (Frantar et al., "GPTQ", 2022, is the method): words [columns / codes a word, rows],
  // scales [groups, rows], zeros as words [groups, rows / codes a word], the group of each column.
  gptq,
  // compressed-tensors' "pack-quantized": words [rows, columns / codes a word], scales
  // [rows, groups], zeros as words [rows / codes a word, groups], the group of each column; the
  // code in the middle is zero where no zeros are given.
  packed,
  // One I8 a code: compressed-tensors' "int-quantized", zeros [rows, groups].
  int8,
  // One F8_E4M3 a value. Source: Micikevicius et al., "FP8 Formats for Deep Learning" (2022),
  // section 3.
  fp8,
};

// value = (code - zero) * scale
struct CodedMatrix {
  CodeLayout layout = CodeLayout::packed;
  int bits = 4;  // of a code: 4 or 8
  std::int64_t rows = 0, columns = 0;
  // Of the block of values that shares a scale; the last ones may be cut by the matrix's edges.
  std::int64_t block_rows = 1, block_columns = 0;
  bool zeros_less_one = false;  // GPTQ's first version stores zeros so
  TensorView codes, scales;
  std::optional<TensorView> zeros;
  // Of each column (I32), the group that it is of; absent: columns follow one another.
  std::optional<TensorView> groups;
};

// What about types, shapes, sizes of groups or groups of columns does not fit, naming the array;
// empty: all fits. Whatever it accepts can be widened. Looks at no scale and no code.
std::string problem_of(const CodedMatrix& matrix);

// Rows are widened so many at a time.
inline constexpr std::int64_t kCodedRows = 64;

// Rows from `first`, a multiple of kCodedRows, as many as `values` holds: at most kCodedRows. Each
// value is the product in float32, rounded once: what the references give for scales widened to
// float32, bit by bit. The matrix must be one without a problem.
void widen(const CodedMatrix& matrix, std::int64_t first, std::span<float> values);

// Whether its codes can be multiplied as they are: whole numbers, a group of columns behind the
// other, each of a multiple of 32.
bool is_grouped(const CodedMatrix& matrix);

// Of a matrix that `is_grouped`, as many rows as `widen` takes: the codes, 0 to 2^bits - 1, a byte
// each, and for each group of each row the scale and the zero, so that
// value = scale * (code - zero). Signed codes and their zeros are moved by 128.
struct CodeRows {
  std::span<std::uint8_t> codes;   // [rows, columns]
  std::span<float> scales, zeros;  // [rows, groups]
};
void take_rows(const CodedMatrix& matrix, std::int64_t first, const CodeRows& rows);

// How many groups a row has.
std::int64_t groups_of(const CodedMatrix& matrix);

// Whether the scales are numbers, none so large that a value overflows.
bool scales_are_finite(const CodedMatrix& matrix);

// "AWQ 4 bits", "FP8"
std::string coded_name(const CodedMatrix& matrix);

// The bytes of all its arrays.
std::int64_t stored_bytes(const CodedMatrix& matrix);

}  // namespace fineprint::tensorfile
