// Hybrid-mask scoring: one block for each row. The row is read from memory once and stays in shared
// memory for the three sweeps that the equations need. Same steps and limits as
// hybrid_mask_rows.cpp.
#include <cmath>

#include "score/cuda/kernels.h"
#include "score/cuda/values.cuh"

namespace fineprint::score::cuda {
namespace {

constexpr int kThreads = 256;
constexpr int kMostSums = 4;  // that a sweep computes at once

// MaskMode and Spread as numbers.
enum Mode { kCosine, kHybrid, kDense, kSparse, kBlend, kSplit };
enum SpreadNumber { kDeviation, kUnbiased, kVariance };

__device__ double spread_of(double variance, double count, int spread) {
  if (spread == kVariance) return variance;
  if (spread == kDeviation) return sqrt(variance);
  return count > 1 ? sqrt(variance * count / (count - 1)) : 0;
}

// What every thread of a block knows after the sweeps.
struct Facts {
  bool sure = true;
  double product = 0;  // query times row
  double length = 0;   // |row|
  double mean = 0, steepness = 0;
  double low = 0, high = 0;
};

struct RowView {
  const float* row;    // shared, [dim]
  const float* query;  // [dim]
  std::size_t dim;
  const Mask& mask;
  double* scratch;

  // If swapped, agreements are negated: then "less" becomes "greater".
  __device__ float agreement(std::size_t i) const {
    const float product = row[i] * query[i];
    const float agreed = mask.absolute ? fabsf(product) : product;
    return mask.swapped ? -agreed : agreed;
  }
};

__device__ void sweep_products(const RowView& view, Facts& facts) {
  float parts[kMostSums] = {};
  for (std::size_t i = threadIdx.x; i < view.dim; i += kThreads) {
    const float value = view.row[i];
    const float product = value * view.query[i];
    parts[0] += view.agreement(i);
    parts[1] += product;
    parts[2] = fmaf(product, product, parts[2]);
    parts[3] = fmaf(value, value, parts[3]);
  }
  double sums[kMostSums] = {parts[0], parts[1], parts[2], parts[3]};
  block_sum<kThreads>(sums, view.scratch);
  const auto count = static_cast<double>(view.dim);
  facts.product = sums[1];
  facts.length = sqrt(sums[3]);
  facts.mean = sums[0] / count;
  const double variance = sums[2] / count - facts.mean * facts.mean;
  // float32 is too coarse for nearly equal agreements and values far from 1. NaN fails here too.
  facts.sure = facts.length > 1e-12 && facts.length < 1e15 && sums[2] >= 1e-30 &&
               variance >= 1e-2 * facts.mean * facts.mean;
  const double spread =
      spread_of(variance / (facts.length * facts.length), count, view.mask.inner_spread);
  facts.steepness = 1 / ((spread + view.mask.epsilon) * facts.length);
  facts.sure = facts.sure && sqrt(variance) * facts.steepness >= 0.25;
}

// Returns the agreement at which the sigmoid equals theta.
__device__ double threshold_at(double theta, Facts& facts) {
  constexpr double kMargin = 1e-5;  // as in hybrid_mask_rows.cpp
  if (fabs(theta) < kMargin || fabs(1 - theta) < kMargin) facts.sure = false;
  if (theta <= 0) return -INFINITY;
  if (theta >= 1) return INFINITY;
  return facts.mean + log(theta / (1 - theta)) / facts.steepness;
}

__device__ void sweep_squashed(const RowView& view, Facts& facts) {
  float parts[2] = {};
  const auto mean = static_cast<float>(facts.mean);
  const auto steepness = static_cast<float>(facts.steepness);
  for (std::size_t i = threadIdx.x; i < view.dim; i += kThreads) {
    const float squashed = 1 / (1 + expf((mean - view.agreement(i)) * steepness));
    parts[0] += squashed;
    parts[1] = fmaf(squashed, squashed, parts[1]);
  }
  double sums[2] = {parts[0], parts[1]};
  block_sum<kThreads>(sums, view.scratch);
  const auto count = static_cast<double>(view.dim);
  const double middle = sums[0] / count;
  const double variance = sums[1] / count - middle * middle;
  facts.sure = facts.sure && variance >= 1e-5;
  const double away = view.mask.alpha * spread_of(variance, count, view.mask.outer_spread);
  facts.low = threshold_at(middle - away, facts);
  facts.high = threshold_at(middle + away, facts);
}

struct MaskedSums {
  double product;
  double row_squares;
};

// Uses 2 M = [x > low] + [x > high].
__device__ MaskedSums sweep_masked(const RowView& view, double low, double high) {
  const float low_bound = __double2float_rd(low);  // any float32 x compares the same with both
  const float high_bound = __double2float_rd(high);
  float parts[2] = {};
  for (std::size_t i = threadIdx.x; i < view.dim; i += kThreads) {
    const float x = view.agreement(i);
    const float masked =
        view.row[i] * ((x > low_bound ? 1.0F : 0.0F) + (x > high_bound ? 1.0F : 0.0F));
    parts[0] = fmaf(view.query[i], masked, parts[0]);
    parts[1] = fmaf(masked, masked, parts[1]);
  }
  double sums[2] = {parts[0], parts[1]};
  block_sum<kThreads>(sums, view.scratch);
  return {sums[0], sums[1]};
}

__device__ double masked_cosine(const RowView& view, double low, double high) {
  const MaskedSums sums = sweep_masked(view, low, high);
  return sums.row_squares > 0 ? sums.product / sqrt(sums.row_squares) : 0;
}

__device__ double masked_score(const RowView& view, const Facts& facts) {
  const Mask& mask = view.mask;
  const double cosine = facts.product / facts.length;
  const double dense = mask.swapped ? facts.high : facts.low;
  const double sparse = mask.swapped ? facts.low : facts.high;
  if (mask.mode == kHybrid) return masked_cosine(view, facts.low, facts.high);
  if (mask.mode == kDense) return masked_cosine(view, dense, dense);
  if (mask.mode == kSparse) return masked_cosine(view, sparse, sparse);
  if (mask.mode == kBlend) {
    return (1 - mask.blend_weight) * cosine +
           mask.blend_weight * masked_cosine(view, facts.low, facts.high);
  }
  const double above_low = sweep_masked(view, facts.low, facts.low).product / 2;
  const double above_high = sweep_masked(view, facts.high, facts.high).product / 2;
  return (mask.salient_weight * above_high + mask.fine_print_weight * (above_low - above_high)) /
         facts.length;
}

template <class T>
__global__ void __launch_bounds__(kThreads)
    mask_kernel(Rows rows, const float* __restrict__ query, Mask mask, float* __restrict__ scores) {
  extern __shared__ float shared_row[];
  __shared__ double scratch[kMostSums * kThreads / kWarp];
  const std::size_t r = blockIdx.x;
  // A row's length cancels out of a cosine, so codes of i8 are used without their scale, if it is >
  // 0.
  const bool has_scale = scale_of<T>(rows, r) > 0;
  for_each_value(row_of<T>(rows, r), rows.dim, static_cast<int>(threadIdx.x), kThreads,
                 [&](std::size_t i, float value) { shared_row[i] = value; });
  __syncthreads();
  const RowView view{shared_row, query, rows.dim, mask, scratch};
  Facts facts;
  sweep_products(view, facts);
  double score = facts.product / facts.length;
  facts.sure = facts.sure && has_scale;
  // Every thread has the same facts, so all take the same branch and the block stays together.
  if (facts.sure && mask.mode != kCosine) {
    sweep_squashed(view, facts);
    if (facts.sure) score = masked_score(view, facts);
  }
  if (threadIdx.x != 0) return;
  scores[r] = facts.sure ? static_cast<float>(score) : __uint_as_float(kUnsureBits);
}

}  // namespace

std::size_t most_mask_dim(int device) {
  int bytes = 0;
  cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
  const std::size_t reserved = 4096;  // for scratch and the runtime
  const auto all = static_cast<std::size_t>(bytes);
  return all > reserved ? (all - reserved) / sizeof(float) : 0;
}

void hybrid_mask(const Rows& rows, const float* query, const Mask& mask, float* scores,
                 cudaStream_t stream) {
  if (rows.count == 0) return;
  const std::size_t bytes = rows.dim * sizeof(float);
  int device = 0;
  cudaGetDevice(&device);
  // The limit belongs to the kernel and not to a launch. Other threads may launch it for wider rows
  // at the same time, so it is always set to the largest.
  const auto most = static_cast<int>(most_mask_dim(device) * sizeof(float));
  with_type(rows.type, [&](auto zero) {
    const auto kernel = mask_kernel<decltype(zero)>;
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, most);
    kernel<<<static_cast<unsigned>(rows.count), kThreads, bytes, stream>>>(rows, query, mask,
                                                                           scores);
  });
}

}  // namespace fineprint::score::cuda
