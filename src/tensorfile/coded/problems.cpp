// Checks whether the arrays of a coded matrix fit together.
#include <algorithm>
#include <cmath>
#include <limits>

#include "fineprint/core/format.h"
#include "fineprint/core/text.h"
#include "fineprint/tensorfile/coded.h"

#include "tensorfile/coded/arrays.h"

namespace fineprint::tensorfile {
namespace {

using Shape = std::vector<std::int64_t>;

constexpr std::int64_t kMostExtent = std::int64_t{1} << 31;  // keeps products from overflowing
constexpr float kLargestCode = 448;  // largest F8_E4M3; above any code of 8 bits minus a zero

std::string shape_words(const Shape& shape) {
  std::string text = "[";
  for (const std::int64_t extent : shape)
    text += (text.size() > 1 ? ", " : "") + format("{}", extent);
  return text + "]";
}

// The functions below return a problem for a message, or an empty text.
std::string misshapen(const TensorView& view, const Shape& needed) {
  if (view.shape == needed) return {};
  return format("tensor '{}' has shape {}, but needs {}", view.name, shape_words(view.shape),
                shape_words(needed));
}

// Names all types that would fit, because the reader of the message may have to convert the file.
std::string mistyped(const TensorView& view, std::initializer_list<Dtype> types) {
  if (std::ranges::find(types, view.dtype) != types.end()) return {};
  return format("tensor '{}' has dtype {}, but needs {}", view.name, dtype_name(view.dtype),
                join_texts(types, " or ", dtype_name));
}

// Checks that the extents along which codes are packed into words give complete words.
std::string unpackable(const CodedMatrix& matrix) {
  const std::int64_t in_word = codes_in_word(matrix);
  const bool rows = matrix.layout == CodeLayout::awq || matrix.layout == CodeLayout::gptq;
  if (rows && matrix.rows % in_word != 0) {
    return format("tensor '{}' has {} rows, which is not a multiple of the {} codes in a word",
                  matrix.codes.name, matrix.rows, in_word);
  }
  if (matrix.layout == CodeLayout::gptq && matrix.columns % in_word != 0) {
    return format("tensor '{}' has {} columns, which is not a multiple of the {} codes in a word",
                  matrix.codes.name, matrix.columns, in_word);
  }
  return {};
}

// Returns the shape that the codes must have; see CodeLayout.
Shape codes_shape(const CodedMatrix& matrix) {
  const std::int64_t in_word = codes_in_word(matrix);
  switch (matrix.layout) {
    case CodeLayout::awq:
      return {matrix.columns, matrix.rows / in_word};
    case CodeLayout::gptq:
      return {matrix.columns / in_word, matrix.rows};
    case CodeLayout::packed:
      return {matrix.rows, divided_up(matrix.columns, in_word)};
    default:
      return {matrix.rows, matrix.columns};
  }
}

// Words are I32 in all layouts that pack codes.
Dtype codes_type(CodeLayout layout) {
  return layout == CodeLayout::int8  ? Dtype::i8
         : layout == CodeLayout::fp8 ? Dtype::f8_e4m3
                                     : Dtype::i32;
}

// A scale for the complete matrix or for each row may be written with or without dimensions of one.
std::string scales_misshapen(const CodedMatrix& matrix) {
  const Shape& given = matrix.scales.shape;
  const std::int64_t down = scale_rows(matrix), across = scale_columns(matrix);
  if (scales_across_first(matrix)) return misshapen(matrix.scales, {across, down});
  const bool flat = across == 1 && given == Shape{down};
  const bool single = across == 1 && down == 1 && given.empty();
  return flat || single ? std::string() : misshapen(matrix.scales, {down, across});
}

// Zeros are stored like codes: packed into words in layouts that pack, one byte each otherwise.
std::string zeros_problem(const CodedMatrix& matrix) {
  if (!matrix.zeros) return {};
  const TensorView& zeros = *matrix.zeros;
  const std::int64_t in_word = codes_in_word(matrix);
  const std::int64_t down = scale_rows(matrix), across = scale_columns(matrix);
  if (matrix.layout == CodeLayout::int8) {
    std::string problem = mistyped(zeros, {Dtype::i8});
    const bool flat =
        across == 1 && (zeros.shape == Shape{down} || (down == 1 && zeros.shape.empty()));
    if (problem.empty() && !flat) problem = misshapen(zeros, {down, across});
    return problem;
  }
  std::string problem = mistyped(zeros, {Dtype::i32});
  if (!problem.empty()) return problem;
  if (scales_across_first(matrix)) return misshapen(zeros, {across, down / in_word});
  return misshapen(zeros, {divided_up(down, in_word), across});
}

// Checks every entry, because decoding uses them as indices.
std::string groups_problem(const CodedMatrix& matrix) {
  if (!matrix.groups) return {};
  const TensorView& groups = *matrix.groups;
  std::string problem = mistyped(groups, {Dtype::i32});
  if (problem.empty()) problem = misshapen(groups, {matrix.columns});
  if (!problem.empty()) return problem;
  const std::int64_t count = scale_columns(matrix);
  for (std::int64_t column = 0; column < matrix.columns; ++column) {
    const std::int32_t group = word_at(groups, column);
    if (group < 0 || group >= count) {
      return format("tensor '{}' assigns column {} to group {} of {}", groups.name, column, group,
                    count);
    }
  }
  return {};
}

}  // namespace

std::string problem_of(const CodedMatrix& matrix) {
  const auto sane = [](std::int64_t extent) { return extent > 0 && extent < kMostExtent; };
  if (!sane(matrix.rows) || !sane(matrix.columns)) {
    return format("tensor '{}' is of a matrix [{}, {}], which is not a valid shape",
                  matrix.codes.name, matrix.rows, matrix.columns);
  }
  if (!sane(matrix.block_rows) || !sane(matrix.block_columns)) {
    return format("tensor '{}' has scales for blocks [{}, {}], which is not a valid size",
                  matrix.scales.name, matrix.block_rows, matrix.block_columns);
  }
  // AWQ exists only with 4 bits: its order of rows in a word is defined for eight codes.
  const bool packable = matrix.bits == 4 || (matrix.bits == 8 && matrix.layout != CodeLayout::awq);
  if (!packable)
    return format("tensor '{}' has unsupported codes of {} bits", matrix.codes.name, matrix.bits);
  // Types before shapes, and codes before zeros and groups: each check relies on those before it.
  std::string problem = unpackable(matrix);
  if (problem.empty()) problem = mistyped(matrix.codes, {codes_type(matrix.layout)});
  if (problem.empty()) problem = misshapen(matrix.codes, codes_shape(matrix));
  if (problem.empty()) problem = mistyped(matrix.scales, {Dtype::f16, Dtype::bf16, Dtype::f32});
  if (problem.empty()) problem = scales_misshapen(matrix);
  if (problem.empty()) problem = zeros_problem(matrix);
  if (problem.empty()) problem = groups_problem(matrix);
  return problem;
}

// The negated comparison also catches NaN.
bool scales_are_finite(const CodedMatrix& matrix) {
  const std::int64_t count = matrix.scales.element_count();
  float largest = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const float scale = std::abs(number_at(matrix.scales, i));
    if (!(scale <= std::numeric_limits<float>::max())) return false;
    largest = std::max(largest, scale);
  }
  return largest <= std::numeric_limits<float>::max() / kLargestCode;
}

std::string coded_name(const CodedMatrix& matrix) {
  switch (matrix.layout) {
    case CodeLayout::awq:
      return format("AWQ {} bits", matrix.bits);
    case CodeLayout::gptq:
      return format("GPTQ {} bits", matrix.bits);
    case CodeLayout::fp8:
      return "FP8";
    default:
      return format("INT{}", matrix.bits);
  }
}

std::int64_t stored_bytes(const CodedMatrix& matrix) {
  std::size_t bytes = matrix.codes.bytes.size() + matrix.scales.bytes.size();
  if (matrix.zeros) bytes += matrix.zeros->bytes.size();
  if (matrix.groups) bytes += matrix.groups->bytes.size();
  return static_cast<std::int64_t>(bytes);
}

}  // namespace fineprint::tensorfile
