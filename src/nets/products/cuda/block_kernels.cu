// Kernels for matrices in blocks of codes; each warp handles one row.
#include <cuda_bf16.h>
#include <cuda_runtime_api.h>

#include "nets/products/cuda/block_kernels.h"
#include "nets/products/cuda/block_lanes.h"

namespace fineprint::nets {
namespace {

constexpr int kWarps = 4;  // warps in a thread block

// A thread block has kWarps warps, one for each row.
__device__ std::int64_t row_of_warp() {
  return static_cast<std::int64_t>(blockIdx.x) * kWarps + threadIdx.y;
}

using Number = __nv_bfloat16;

template <typename Layout>
__global__ void widen_kernel(StoredBlocks matrix, const std::int64_t* index, std::int64_t first,
                             std::int64_t count, Number* out) {
  const std::int64_t i = row_of_warp();
  if (i >= count) return;
  const std::int64_t row = index == nullptr ? first + i : index[i];
  // A bad index must not read other memory; LibTorch's look-ups end the same way.
  if (row < 0 || row >= matrix.rows) __trap();
  const int lane = static_cast<int>(threadIdx.x);
  cuda::widen_lane<Layout>(matrix, row, lane, out + i * matrix.columns);
}

template <typename Layout, int kVectors>
__global__ void multiply_kernel(StoredBlocks matrix, const Number* x, Number* y) {
  const std::int64_t row = row_of_warp();
  if (row >= matrix.rows) return;
  const int lane = static_cast<int>(threadIdx.x);
  float sums[kVectors] = {};
  cuda::multiply_lane<Layout, kVectors>(matrix, row, lane, x, sums);
  for (int v = 0; v < kVectors; ++v) {
    for (int other = cuda::kLanes / 2; other > 0; other /= 2) {
      sums[v] += __shfl_xor_sync(0xFFFFFFFFU, sums[v], other);
    }
    if (lane == 0) y[v * matrix.rows + row] = static_cast<Number>(sums[v]);
  }
}

// Rounds up; warps without a row return at once.
unsigned blocks_for(std::int64_t rows) {
  return static_cast<unsigned>((rows + kWarps - 1) / kWarps);
}

template <typename Layout>
void launch_products(const StoredBlocks& matrix, const Number* x, std::int64_t vectors, Number* y,
                     cudaStream_t stream) {
  const dim3 threads(cuda::kLanes, kWarps);
  const unsigned blocks = blocks_for(matrix.rows);
  // Four vectors at a time: a row is decoded once for them, and the sums stay in registers.
  for (; vectors >= 4; vectors -= 4, x += 4 * matrix.columns, y += 4 * matrix.rows) {
    multiply_kernel<Layout, 4><<<blocks, threads, 0, stream>>>(matrix, x, y);
  }
  for (; vectors > 0; --vectors, x += matrix.columns, y += matrix.rows) {
    multiply_kernel<Layout, 1><<<blocks, threads, 0, stream>>>(matrix, x, y);
  }
}

const char* result_of_launch() {
  const cudaError_t result = cudaGetLastError();
  return result == cudaSuccess ? nullptr : cudaGetErrorString(result);
}

const char* widen_rows(const StoredBlocks& matrix, const std::int64_t* index, std::int64_t first,
                       std::int64_t count, void* out, void* stream) {
  if (count == 0) return nullptr;
  cuda::with_layout(matrix.codec, [&](auto layout) {
    const dim3 threads(cuda::kLanes, kWarps);
    widen_kernel<decltype(layout)>
        <<<blocks_for(count), threads, 0, static_cast<cudaStream_t>(stream)>>>(
            matrix, index, first, count, static_cast<Number*>(out));
  });
  return result_of_launch();
}

const char* multiply_few(const StoredBlocks& matrix, const void* x, std::int64_t vectors, void* y,
                         void* stream) {
  cuda::with_layout(matrix.codec, [&](auto layout) {
    launch_products<decltype(layout)>(matrix, static_cast<const Number*>(x), vectors,
                                      static_cast<Number*>(y), static_cast<cudaStream_t>(stream));
  });
  return result_of_launch();
}

constexpr BlockKernels kOnGpu{widen_rows, multiply_few};

}  // namespace

const BlockKernels* block_kernels_of_gpu() { return &kOnGpu; }

}  // namespace fineprint::nets
