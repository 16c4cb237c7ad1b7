// Products of one query with many rows: one warp for each row.
#include "score/cuda/kernels.h"
#include "score/cuda/values.cuh"

namespace fineprint::score::cuda {
namespace {

constexpr int kThreads = 256;
constexpr int kRowsOfBlock = kThreads / kWarp;

template <class T>
__global__ void __launch_bounds__(kThreads)
    dot_kernel(Rows rows, const float* __restrict__ query, float* __restrict__ scores) {
  const int lane = static_cast<int>(threadIdx.x) % kWarp;
  const std::size_t r = static_cast<std::size_t>(blockIdx.x) * kRowsOfBlock + threadIdx.x / kWarp;
  if (r >= rows.count) return;
  float sum = 0;
  for_each_value(row_of<T>(rows, r), rows.dim, lane, kWarp,
                 [&](std::size_t i, float value) { sum = fmaf(value, query[i], sum); });
  sum = warp_sum(sum);
  if (lane == 0) scores[r] = sum * scale_of<T>(rows, r);
}

}  // namespace

void dot(const Rows& rows, const float* query, float* scores, cudaStream_t stream) {
  if (rows.count == 0) return;
  const auto blocks = static_cast<unsigned>((rows.count + kRowsOfBlock - 1) / kRowsOfBlock);
  with_type(rows.type, [&](auto zero) {
    dot_kernel<decltype(zero)><<<blocks, kThreads, 0, stream>>>(rows, query, scores);
  });
}

}  // namespace fineprint::score::cuda
