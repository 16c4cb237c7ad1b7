// Decodes coded matrices, a band of rows at a time.
#include <algorithm>
#include <array>
#include <vector>

#include "fineprint/core/error.h"
#include "fineprint/tensorfile/coded.h"

#include "tensorfile/coded/arrays.h"

namespace fineprint::tensorfile {
namespace {

constexpr std::int64_t kTileColumns = 64;  // a multiple of the codes in a word

// Codes of some rows and columns, as numbers.
using Tile = std::array<std::array<float, kTileColumns>, kCodedRows>;

// Row of each code of an AWQ word, in the order in which the codes are stored.
constexpr std::array<int, 8> kAwqRows{0, 2, 4, 6, 1, 3, 5, 7};

// A range of rows or columns.
struct IndexRange {
  std::int64_t first = 0, count = 0;
};

// Returns the code at `place` of a word, counted from the lowest bits.
constexpr std::uint32_t code_in(std::int32_t word, std::int64_t place, int bits) {
  return static_cast<std::uint32_t>(word) >> (place * bits) & ((1U << bits) - 1);
}

// Decodes four bits of exponent around 7 and three of fraction. There are no infinities; a code
// whose bits are all ones is NaN.
float fp8_value(std::uint8_t code) {
  const std::uint32_t sign = (code & 0x80U) << 24, magnitude = code & 0x7FU;
  if (magnitude == 0x7FU) return std::bit_cast<float>(sign | 0x7FC00000U);
  // These bits as a float are the value times 2^-120, also for denormals.
  const float scaled = std::bit_cast<float>(magnitude << 20) * 0x1p120F;
  return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(scaled));
}

std::array<float, 256> all_fp8_values() {
  std::array<float, 256> values{};
  for (std::size_t code = 0; code < values.size(); ++code) {
    values[code] = fp8_value(static_cast<std::uint8_t>(code));
  }
  return values;
}

// Returns which of eight rows the code at `place` of a word belongs to, if words are packed along
// rows.
std::int64_t row_of_place(const CodedMatrix& matrix, std::int64_t place) {
  return matrix.layout == CodeLayout::awq ? kAwqRows[static_cast<std::size_t>(place)] : place;
}

void take_awq(const CodedMatrix& matrix, IndexRange rows, IndexRange columns, Tile* tile) {
  const std::int64_t in_word = codes_in_word(matrix), words = matrix.rows / in_word;
  for (std::int64_t column = 0; column < columns.count; ++column) {
    for (std::int64_t row = 0; row < rows.count; row += in_word) {
      const std::int32_t word =
          word_at(matrix.codes, (columns.first + column) * words + (rows.first + row) / in_word);
      for (std::int64_t place = 0; place < in_word; ++place) {
        (*tile)[static_cast<std::size_t>(row + row_of_place(matrix, place))]
               [static_cast<std::size_t>(column)] =
                   static_cast<float>(code_in(word, place, matrix.bits));
      }
    }
  }
}

void take_gptq(const CodedMatrix& matrix, IndexRange rows, IndexRange columns, Tile* tile) {
  const std::int64_t in_word = codes_in_word(matrix);
  for (std::int64_t column = 0; column < columns.count; column += in_word) {
    for (std::int64_t row = 0; row < rows.count; ++row) {
      const std::int32_t word = word_at(
          matrix.codes, (columns.first + column) / in_word * matrix.rows + rows.first + row);
      for (std::int64_t place = 0; place < in_word; ++place) {
        (*tile)[static_cast<std::size_t>(row)][static_cast<std::size_t>(column + place)] =
            static_cast<float>(code_in(word, place, matrix.bits));
      }
    }
  }
}

void take_packed(const CodedMatrix& matrix, IndexRange rows, IndexRange columns, Tile* tile) {
  const std::int64_t in_word = codes_in_word(matrix);
  const std::int64_t words = divided_up(matrix.columns, in_word);
  for (std::int64_t row = 0; row < rows.count; ++row) {
    for (std::int64_t column = 0; column < columns.count; ++column) {
      const std::int64_t at = columns.first + column;
      const std::int32_t word = word_at(matrix.codes, (rows.first + row) * words + at / in_word);
      (*tile)[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)] =
          static_cast<float>(code_in(word, at % in_word, matrix.bits));
    }
  }
}

void take_bytes(const CodedMatrix& matrix, IndexRange rows, IndexRange columns, Tile* tile) {
  static const std::array<float, 256> kFp8Values = all_fp8_values();
  for (std::int64_t row = 0; row < rows.count; ++row) {
    const std::uint8_t* codes =
        matrix.codes.bytes.data() + (rows.first + row) * matrix.columns + columns.first;
    std::array<float, kTileColumns>& to = (*tile)[static_cast<std::size_t>(row)];
    for (std::size_t i = 0; i < static_cast<std::size_t>(columns.count); ++i) {
      to[i] = matrix.layout == CodeLayout::fp8
                  ? kFp8Values[codes[i]]
                  : static_cast<float>(static_cast<std::int8_t>(codes[i]));
    }
  }
}

// The layout is chosen once for a tile, so that inner loops have no branches.
void take_codes(const CodedMatrix& matrix, IndexRange rows, IndexRange columns, Tile* tile) {
  switch (matrix.layout) {
    case CodeLayout::awq:
      return take_awq(matrix, rows, columns, tile);
    case CodeLayout::gptq:
      return take_gptq(matrix, rows, columns, tile);
    case CodeLayout::packed:
      return take_packed(matrix, rows, columns, tile);
    default:
      return take_bytes(matrix, rows, columns, tile);
  }
}

// Returns the code that means zero, for the scale at [down, across].
float zero_at(const CodedMatrix& matrix, std::int64_t down, std::int64_t across) {
  if (matrix.layout == CodeLayout::fp8) return 0;
  if (matrix.layout == CodeLayout::int8) {
    if (!matrix.zeros) return 0;
    const std::int64_t at = down * scale_columns(matrix) + across;
    return static_cast<std::int8_t>(matrix.zeros->bytes[static_cast<std::size_t>(at)]);
  }
  if (!matrix.zeros) return static_cast<float>(1 << (matrix.bits - 1));
  const std::int64_t in_word = codes_in_word(matrix);
  if (matrix.layout == CodeLayout::packed) {
    const std::int32_t word =
        word_at(*matrix.zeros, down / in_word * scale_columns(matrix) + across);
    return static_cast<float>(code_in(word, down % in_word, matrix.bits));
  }
  const std::int32_t word =
      word_at(*matrix.zeros, across * (matrix.rows / in_word) + down / in_word);
  std::int64_t place = 0;
  while (row_of_place(matrix, place) != down % in_word) ++place;
  const std::uint32_t code = code_in(word, place, matrix.bits);
  // The reference implementation truncates the sum to the bits of a code.
  return static_cast<float>((code + (matrix.zeros_less_one ? 1 : 0)) & ((1U << matrix.bits) - 1));
}

// Scales and zeros of one row, indexed by group.
struct RowScales {
  std::vector<float> scale, zero;
};

// A row's scales are consecutive or strided, depending on the layout.
RowScales scales_of_row(const CodedMatrix& matrix, std::int64_t row) {
  const std::int64_t across = scale_columns(matrix), down = row / matrix.block_rows;
  RowScales scales;
  for (std::int64_t group = 0; group < across; ++group) {
    const std::int64_t at =
        scales_across_first(matrix) ? group * scale_rows(matrix) + down : down * across + group;
    scales.scale.push_back(number_at(matrix.scales, at));
    scales.zero.push_back(zero_at(matrix, down, group));
  }
  return scales;
}

std::vector<std::uint32_t> groups_of_columns(const CodedMatrix& matrix) {
  std::vector<std::uint32_t> groups(static_cast<std::size_t>(matrix.columns));
  for (std::size_t column = 0; column < groups.size(); ++column) {
    const auto at = static_cast<std::int64_t>(column);
    groups[column] = static_cast<std::uint32_t>(matrix.groups ? word_at(*matrix.groups, at)
                                                              : at / matrix.block_columns);
  }
  return groups;
}

// Returns the rows from `first` on. Throws Error(internal) unless they are a complete band, because
// words packed along rows cannot be split.
IndexRange band(const CodedMatrix& matrix, std::int64_t first, std::size_t values) {
  const IndexRange rows{first, static_cast<std::int64_t>(values) / matrix.columns};
  if (first % kCodedRows != 0 || rows.count > kCodedRows || first + rows.count > matrix.rows ||
      static_cast<std::int64_t>(values) != rows.count * matrix.columns ||
      (rows.count % kCodedRows != 0 && first + rows.count != matrix.rows)) {
    throw Error(ErrorCode::internal, "widen: these rows are not a band of the matrix");
  }
  return rows;
}

// Calls take(columns, tile) for one range of columns after the other.
template <class Take>
void each_tile(const CodedMatrix& matrix, IndexRange rows, const Take& take) {
  Tile tile;
  for (std::int64_t begin = 0; begin < matrix.columns; begin += kTileColumns) {
    const IndexRange columns{begin, std::min(kTileColumns, matrix.columns - begin)};
    take_codes(matrix, rows, columns, &tile);
    take(columns, tile);
  }
}

}  // namespace

std::int64_t groups_of(const CodedMatrix& matrix) { return scale_columns(matrix); }

bool is_grouped(const CodedMatrix& matrix) {
  if (matrix.layout == CodeLayout::fp8 || matrix.block_columns % 32 != 0 ||
      matrix.columns % matrix.block_columns != 0) {
    return false;
  }
  const std::vector<std::uint32_t> groups = groups_of_columns(matrix);
  for (std::size_t column = 0; column < groups.size(); ++column) {
    if (groups[column] != column / static_cast<std::size_t>(matrix.block_columns)) return false;
  }
  return true;
}

void take_rows(const CodedMatrix& matrix, std::int64_t first, const CodeRows& rows) {
  const IndexRange taken = band(matrix, first, rows.codes.size());
  const std::int64_t groups = groups_of(matrix);
  if (std::ssize(rows.scales) != taken.count * groups || rows.zeros.size() != rows.scales.size()) {
    throw Error(ErrorCode::internal, "take_rows: the room for scales does not match the rows");
  }
  // Moves signed codes into the unsigned range. Zeros move too, so differences stay the same.
  const float moved = matrix.layout == CodeLayout::int8 ? 128 : 0;
  for (std::int64_t row = 0; row < taken.count; ++row) {
    const RowScales scales = scales_of_row(matrix, first + row);
    for (std::int64_t group = 0; group < groups; ++group) {
      const auto at = static_cast<std::size_t>(row * groups + group);
      rows.scales[at] = scales.scale[static_cast<std::size_t>(group)];
      rows.zeros[at] = scales.zero[static_cast<std::size_t>(group)] + moved;
    }
  }
  each_tile(matrix, taken, [&](IndexRange columns, const Tile& tile) {
    for (std::int64_t row = 0; row < taken.count; ++row) {
      for (std::int64_t i = 0; i < columns.count; ++i) {
        const float code = tile[static_cast<std::size_t>(row)][static_cast<std::size_t>(i)] + moved;
        rows.codes[static_cast<std::size_t>(row * matrix.columns + columns.first + i)] =
            static_cast<std::uint8_t>(code);
      }
    }
  });
}

void widen(const CodedMatrix& matrix, std::int64_t first, std::span<float> values) {
  const IndexRange rows = band(matrix, first, values.size());
  // Scales and zeros are read once for each row, because a zero takes several steps to find.
  std::vector<RowScales> scales;
  for (std::int64_t row = 0; row < rows.count; ++row)
    scales.push_back(scales_of_row(matrix, first + row));
  const std::vector<std::uint32_t> groups = groups_of_columns(matrix);
  each_tile(matrix, rows, [&](IndexRange columns, const Tile& tile) {
    for (std::size_t row = 0; row < static_cast<std::size_t>(rows.count); ++row) {
      float* to = values.data() + row * static_cast<std::size_t>(matrix.columns) + columns.first;
      for (std::size_t i = 0; i < static_cast<std::size_t>(columns.count); ++i) {
        const std::uint32_t group = groups[static_cast<std::size_t>(columns.first) + i];
        to[i] = (tile[row][i] - scales[row].zero[group]) * scales[row].scale[group];
      }
    }
  });
}

}  // namespace fineprint::tensorfile
