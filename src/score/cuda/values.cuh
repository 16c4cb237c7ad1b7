// Reads stored numbers of any type as float32, and sums over warps and blocks.
#pragma once

#include <cstdint>
#include <cstring>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "score/cuda/kernels.h"

namespace fineprint::score::cuda {

inline constexpr unsigned kAllLanes = 0xFFFFFFFFu;
inline constexpr int kWarp = 32;

__device__ inline float widened(float value) { return value; }
__device__ inline float widened(__half value) { return __half2float(value); }
__device__ inline float widened(__nv_bfloat16 value) { return __bfloat162float(value); }
__device__ inline float widened(std::int8_t value) { return static_cast<float>(value); }

template <class T>
__device__ inline const T* row_of(const Rows& rows, std::size_t r) {
  return static_cast<const T*>(rows.values) + r * rows.dim;
}

// Returns the factor of the numbers of row r.
template <class T>
__device__ inline float scale_of(const Rows& rows, std::size_t r) {
  return sizeof(T) == 1 ? rows.scales[r] : 1.0F;
}

// Calls take(i, value) for each number of a row, split among `lanes` threads. Reads 16 bytes at a
// time if rows begin at such addresses.
template <class T, class Take>
__device__ inline void for_each_value(const T* row, std::size_t dim, int lane, int lanes,
                                      Take take) {
  constexpr int kTogether = 16 / sizeof(T);
  if (dim % kTogether != 0) {
    for (std::size_t i = lane; i < dim; i += lanes) take(i, widened(row[i]));
    return;
  }
  for (std::size_t i = static_cast<std::size_t>(lane) * kTogether; i < dim;
       i += static_cast<std::size_t>(lanes) * kTogether) {
    const uint4 bits = __ldg(reinterpret_cast<const uint4*>(row + i));
    T values[kTogether];
    memcpy(values, &bits, sizeof bits);
#pragma unroll
    for (int k = 0; k < kTogether; ++k) take(i + k, widened(values[k]));
  }
}

template <class Number>
__device__ inline Number warp_sum(Number value) {
  for (int step = kWarp / 2; step > 0; step /= 2) {
    value += __shfl_xor_sync(kAllLanes, value, step);
  }
  return value;
}

// Sums N numbers over a block of `kThreads` and gives every thread the sums. `scratch` has room for
// N * warps.
template <int kThreads, int N>
__device__ inline void block_sum(double (&values)[N], double* scratch) {
  constexpr int kWarps = kThreads / kWarp;
  const int warp = static_cast<int>(threadIdx.x) / kWarp;
#pragma unroll
  for (int n = 0; n < N; ++n) {
    const double sum = warp_sum(values[n]);
    if (threadIdx.x % kWarp == 0) scratch[n * kWarps + warp] = sum;
  }
  __syncthreads();
#pragma unroll
  for (int n = 0; n < N; ++n) {
    values[n] = 0;
    for (int w = 0; w < kWarps; ++w) values[n] += scratch[n * kWarps + w];
  }
  __syncthreads();  // before scratch is overwritten by the next call
}

// Calls launch with a value of the type of the stored rows.
template <class Launch>
void with_type(VectorType type, Launch launch) {
  switch (type) {
    case VectorType::f32:
      return launch(float{});
    case VectorType::f16:
      return launch(__half{});
    case VectorType::bf16:
      return launch(__nv_bfloat16{});
    case VectorType::i8:
      return launch(std::int8_t{});
  }
}

}  // namespace fineprint::score::cuda
