// What every instruction set has of its own behind dense.h; each in its own file.
#pragma once

#include <cstddef>
#include <cstdint>

#include "fineprint/score/vector_rows.h"

namespace fineprint::score {

// Values of a block of rows that dot_rows_many works on at a time. A row takes kBlockStride floats,
// which is no power of two, so that the rows do not fall on the same lines of the cache.
constexpr std::size_t kBlockDepth = 128;
constexpr std::size_t kBlockStride = kBlockDepth + 16;

// A query as two numbers of 8 bits each: 128 high + low, high in -127..127, low in -64..64.
struct QueryCodes {
  const std::int8_t* high = nullptr;
  const std::int8_t* low = nullptr;
};

// Values of a block of rows that a product makes float32 on the way, for the product after it: its
// multiply-adds leave the units idle that this takes.
struct BlockDecoding {
  VectorType type = VectorType::f32;
  const std::uint8_t* values = nullptr;  // of the first row, from the first value wanted on
  std::size_t row_bytes = 0;             // from there to the next row's
  std::size_t rows = 0;                  // up to block_rows; 0: nothing to do
  std::size_t depth = 0;
  float* out = nullptr;  // [rows, kBlockStride]; codes of i8 without their scale
};

// sums[r][q] += <query q, row r> over `depth` values; a query a lane, `vectors` (1 or 2) vector
// registers of them.
struct PanelProduct {
  std::size_t vectors = 0;
  std::size_t depth = 0;
  const float* packed = nullptr;  // [depth, vectors * lanes]
  const float* block = nullptr;   // [block_rows, kBlockStride]
  float* sums = nullptr;          // [block_rows, vectors * lanes]
  // Memory that the next block will need, asked for on the way, so much for each value.
  const std::uint8_t* ahead = nullptr;
  std::size_t ahead_step = 0;
  BlockDecoding meanwhile;
};

// The caller makes sure that the processor has the instructions.
struct DenseKernel {
  // `count` values as float32; codes of i8 without their scale.
  void (*decode)(VectorType type, const std::uint8_t* values, std::size_t count, float* out);

  // As dot_rows. What a row scores does not depend on the rows beside it.
  void (*dot)(const float* query, const VectorRows& rows, float* scores);

  // Does what `meanwhile` asks for, too.
  void (*multiply)(const PanelProduct& product);
  std::size_t lanes = 0;
  std::size_t block_rows = 0;
};

// sums[r] = <128 high + low, codes of row r>, exactly, for dim up to kMostCodes.
using DotCodes = void (*)(const QueryCodes& query, const VectorRows& codes, std::int64_t* sums);

// As a product does it on the way, by itself. `decode` is the kernel's.
inline void decode_block(const BlockDecoding& block, decltype(DenseKernel::decode) decode) {
  for (std::size_t r = 0; r < block.rows; ++r) {
    decode(block.type, block.values + r * block.row_bytes, block.depth,
           block.out + r * kBlockStride);
  }
}

// Up to here the sums of products fit the kernels' lanes of 32 bits.
constexpr std::size_t kMostCodes = std::size_t{1} << 18;

extern const DenseKernel kDensePortable;
extern const DotCodes kDotCodesPortable;
#if defined(__x86_64__)
extern const DenseKernel kDenseAvx2;
extern const DotCodes kDotCodesAvx2;
extern const DenseKernel kDenseAvx512;
extern const DotCodes kDotCodesVnni;
#endif

// Longest chain of float32 roundings in a product of `dim` values, whatever the kernel.
constexpr std::size_t longest_chain(std::size_t dim) { return dim / 8 + 32; }

}  // namespace fineprint::score
