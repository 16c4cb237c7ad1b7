// y = x W^T + b with W in blocks of codes. Blocks are unpacked in the cache, and multiplied as
// integers with x as codes of eight bits. Does not use LibTorch; the caller divides the work among
// threads.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "nets/products/blocks/codec.h"

namespace fineprint::nets {

// One product.
struct BlockProduct {
  StoredBlocks weight;              // [out, in]
  const std::uint8_t* x = nullptr;  // the output of quantise_vectors
  std::int64_t vectors = 0;         // at least 1
  const float* bias = nullptr;      // [out], or nullptr
  float* y = nullptr;               // [vectors, out]
};

// Returns the bytes that quantise_vectors writes for `vectors` of `columns` values.
std::int64_t quantised_size(Codec codec, std::int64_t vectors, std::int64_t columns);
// Returns into how many independent groups it divides the vectors.
std::int64_t quantised_groups(std::int64_t vectors);
// Quantises the groups [begin, end) of x [vectors, columns] for a matrix of this codec. Each run of
// 32 values becomes codes -127..127 with one scale in float32, so that no value is off by more than
// half the scale, which is the 254th part of the largest value. If a run of 32 has an infinity or
// NaN, all results become NaN. `out` must be aligned to 64 bytes.
void quantise_vectors(Codec codec, const float* x, std::int64_t vectors, std::int64_t columns,
                      std::int64_t begin, std::int64_t end, std::uint8_t* out);

// Returns the number of panels of kPanelRows rows; the last one may have fewer.
constexpr std::int64_t block_panels(std::int64_t rows) {
  return (rows + kPanelRows - 1) / kPanelRows;
}
// Multiplies the rows of the panels [begin, end) of W, for all vectors. Products of a run of codes
// are added up exactly, as integers; runs are added up in float32, from the first to the last. So
// y[v, r] depends only on row r and vector v, to the last bit. Several threads may each multiply
// different panels. The matrix is read from memory once for about 192 vectors.
void multiply_panels(const BlockProduct& product, std::int64_t begin, std::int64_t end);

// Writes a row of grouped4 or grouped8 as float32 values.
void widen_groups(const StoredBlocks& matrix, std::int64_t row, float* out);

// Return the best instruction set whose kernel is in use, for example "avx2", and all sets that
// this machine can run, best first.
std::string block_kernel();
std::vector<std::string> block_kernels();

}  // namespace fineprint::nets
