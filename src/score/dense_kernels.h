// The functions that each instruction set implements for dense.h, in a file of its own.
#pragma once

#include <cstddef>
#include <cstdint>

#include "fineprint/score/vector_rows.h"

namespace fineprint::score {

// The number of values of a row that dot_rows_many works on at a time. A row takes kBlockStride
// floats, which is not a power of two, so that rows do not compete for the same lines of the cache.
constexpr std::size_t kBlockDepth = 128;
constexpr std::size_t kBlockStride = kBlockDepth + 16;

// Values of a block of rows that a product decodes to float32 in passing, for the product after it.
// Decoding uses units of the processor that multiply-adds leave idle.
struct BlockDecoding {
  VectorType type = VectorType::f32;
  const std::uint8_t* values = nullptr;  // first wanted value of the first row
  std::size_t row_bytes = 0;             // from there to the same value of the next row
  std::size_t rows = 0;                  // up to block_rows; 0: nothing to do
  std::size_t depth = 0;
  float* out = nullptr;  // [rows, kBlockStride]; codes of i8 without their scale
};

// Computes sums[r][q] += <query q, row r> over `depth` values. Each query has a lane; there are
// `vectors` (1 or 2) vector registers of queries.
struct PanelProduct {
  std::size_t vectors = 0;
  std::size_t depth = 0;
  const float* packed = nullptr;  // [depth, vectors * lanes]
  const float* block = nullptr;   // [block_rows, kBlockStride]
  float* sums = nullptr;          // [block_rows, vectors * lanes]
  // Memory that the next block needs: prefetched in passing, `ahead_step` bytes for each value.
  const std::uint8_t* ahead = nullptr;
  std::size_t ahead_step = 0;
  BlockDecoding meanwhile;
};

// The kernels of one instruction set. The caller makes sure that the processor has it.
struct DenseKernel {
  // Decodes `count` values to float32; codes of i8 without their scale.
  void (*decode)(VectorType type, const std::uint8_t* values, std::size_t count, float* out);

  // Same as dot_rows: a row's score must not depend on which rows are scored with it.
  void (*dot)(const float* query, const VectorRows& rows, float* scores);

  // Computes the product, and decodes what `meanwhile` describes.
  void (*multiply)(const PanelProduct& product);
  std::size_t lanes = 0;
  std::size_t block_rows = 0;
};

// Decodes a block without a product. `decode` is the kernel's.
inline void decode_block(const BlockDecoding& block, decltype(DenseKernel::decode) decode) {
  for (std::size_t r = 0; r < block.rows; ++r) {
    decode(block.type, block.values + r * block.row_bytes, block.depth,
           block.out + r * kBlockStride);
  }
}

extern const DenseKernel kDensePortable;
#if defined(__x86_64__)
extern const DenseKernel kDenseAvx2;
extern const DenseKernel kDenseAvx512;
#elif defined(__aarch64__)
extern const DenseKernel kDenseNeon;
#endif

}  // namespace fineprint::score
