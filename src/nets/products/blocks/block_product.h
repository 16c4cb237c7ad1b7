// y = x W^T + b with W in blocks of codes: they are unpacked in the cache, and multiplied as whole
// numbers with x as codes of eight bits. LibTorch is not seen here; what runs on which thread is
// the caller's affair.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "nets/products/blocks/codec.h"

namespace fineprint::nets {

struct BlockProduct {
  StoredBlocks weight;              // [out, in]
  const std::uint8_t* x = nullptr;  // as quantise_vectors left it
  std::int64_t vectors = 0;         // at least 1
  const float* bias = nullptr;      // [out], or nullptr
  float* y = nullptr;               // [vectors, out]
};

// Bytes that quantise_vectors needs for `vectors` of `columns` values.
std::int64_t quantised_size(Codec codec, std::int64_t vectors, std::int64_t columns);
// How many pieces it works in, which do not depend on each other.
std::int64_t quantised_groups(std::int64_t vectors);
// The groups [begin, end) of x [vectors, columns], for a matrix of that codec: each 32 values
// become codes -127..127 with one scale in float32, so that no value is off by more than half of it
// (the largest one's 254th part). A run of 32 with an infinity or NaN makes all results NaN. `out`
// is aligned to 64 bytes.
void quantise_vectors(Codec codec, const float* x, std::int64_t vectors, std::int64_t columns,
                      std::int64_t begin, std::int64_t end, std::uint8_t* out);

// Panels of kPanelRows rows, the last of which may be of fewer.
constexpr std::int64_t block_panels(std::int64_t rows) {
  return (rows + kPanelRows - 1) / kPanelRows;
}
// Rows of the panels [begin, end) of W, for all vectors. Products of a run of codes are added up as
// whole numbers, exactly; runs are added up in float32, from the first to the last. So y[v, r]
// depends on row r and vector v alone, to the last bit. Several threads may each do panels of their
// own. The matrix is read from memory once for each 192 vectors or so.
void multiply_panels(const BlockProduct& product, std::int64_t begin, std::int64_t end);

// A row of grouped4 or grouped8 as float32 values.
void widen_groups(const StoredBlocks& matrix, std::int64_t row, float* out);

// "avx512-vnni", "avx512", "avx2" or "portable": in use, and all that this machine can run, best
// first.
std::string block_kernel();
std::vector<std::string> block_kernels();

}  // namespace fineprint::nets
