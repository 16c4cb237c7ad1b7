// The scoring kernels. They take raw pointers into a device's memory and a stream. They do not
// allocate or wait. The caller checks each launch through cudaGetLastError.
#pragma once

#include <cstddef>
#include <cstdint>

#include <cuda_runtime_api.h>

#include "fineprint/score/vector_rows.h"

namespace fineprint::score::cuda {

// Like VectorRows, but in device memory.
struct Rows {
  VectorType type = VectorType::f32;
  const void* values = nullptr;   // [count, dim]
  const float* scales = nullptr;  // [count], only for i8
  std::size_t count = 0;
  std::size_t dim = 0;
};

// Options of the hybrid mask for the kernel: MaskOptions without enums.
struct Mask {
  int mode = 0;          // MaskMode by number
  int inner_spread = 0;  // Spread by number
  int outer_spread = 0;
  bool absolute = true;
  bool swapped = false;
  double alpha = 0, epsilon = 0;
  double blend_weight = 0, salient_weight = 0, fine_print_weight = 0;
};

// The value that hybrid_mask writes for a row that needs float64: a NaN that no computation gives.
inline constexpr std::uint32_t kUnsureBits = 0x7FC0F17Eu;

// Computes scores[r] = <query, row r>. query: [dim]; scores: [rows.count].
void dot(const Rows& rows, const float* query, float* scores, cudaStream_t stream);

// Computes scores[r] by the mask, or writes kUnsureBits. query: [dim], of unit length. A row must
// fit into the shared memory of a block: its dim is at most most_mask_dim().
void hybrid_mask(const Rows& rows, const float* query, const Mask& mask, float* scores,
                 cudaStream_t stream);
std::size_t most_mask_dim(int device);

// Computes scores[p] for rows [first[p], first[p + 1]). query: [vectors, dim]; first: [pages + 1].
void max_sim(const Rows& rows, const std::uint32_t* first, std::size_t pages, const float* query,
             std::size_t vectors, float* scores, cudaStream_t stream);

}  // namespace fineprint::score::cuda
