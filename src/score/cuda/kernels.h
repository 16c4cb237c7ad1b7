// The scoring kernels: raw pointers into a device's memory and a stream, no allocation, no waiting.
// Each launch is checked by the caller through cudaGetLastError.
#pragma once

#include <cstddef>
#include <cstdint>

#include <cuda_runtime_api.h>

#include "fineprint/score/vector_rows.h"

namespace fineprint::score::cuda {

// As VectorRows, in device memory.
struct Rows {
  VectorType type = VectorType::f32;
  const void* values = nullptr;   // [count, dim]
  const float* scales = nullptr;  // [count], of i8 only
  std::size_t count = 0;
  std::size_t dim = 0;
};

// Options of the hybrid mask as the kernel wants them: MaskOptions without its enums.
struct Mask {
  int mode = 0;          // MaskMode by number
  int inner_spread = 0;  // Spread by number
  int outer_spread = 0;
  bool absolute = true;
  bool swapped = false;
  double alpha = 0, epsilon = 0;
  double blend_weight = 0, salient_weight = 0, fine_print_weight = 0;
};

// What hybrid_mask writes for a row that only float64 can judge: a NaN of no other use.
inline constexpr std::uint32_t kUnsureBits = 0x7FC0F17Eu;

// scores[r] = <query, row r>. query: [dim]; scores: [rows.count].
void dot(const Rows& rows, const float* query, float* scores, cudaStream_t stream);

// scores[r] by the mask, or kUnsureBits. query: [dim], of unit length. A row must fit the shared
// memory of a block: most_mask_dim.
void hybrid_mask(const Rows& rows, const float* query, const Mask& mask, float* scores,
                 cudaStream_t stream);
std::size_t most_mask_dim(int device);

// scores[p] for rows [first[p], first[p + 1]). query: [vectors, dim]; first: [pages + 1].
void max_sim(const Rows& rows, const std::uint32_t* first, std::size_t pages, const float* query,
             std::size_t vectors, float* scores, cudaStream_t stream);

}  // namespace fineprint::score::cuda
