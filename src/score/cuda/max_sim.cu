// Late interaction: one block for each page. Tiles of rows and query vectors meet in shared memory.
// Each thread multiplies a few of both in registers and keeps the largest products, which never
// leave the processor.
#include <cmath>

#include "score/cuda/kernels.h"
#include "score/cuda/values.cuh"

namespace fineprint::score::cuda {
namespace {

constexpr int kRowThreads = 16;
constexpr int kQueryThreads = 8;
constexpr int kThreads = kRowThreads * kQueryThreads;
constexpr int kEach = 4;                             // rows, and query vectors, for each thread
constexpr int kTileRows = kRowThreads * kEach;       // 64
constexpr int kTileQueries = kQueryThreads * kEach;  // 32
constexpr int kDepth = 32;                           // dimensions of a tile
constexpr int kPad = 4;  // puts columns into different banks of shared memory, 16-byte aligned

// Returns NaN if either is NaN.
__device__ float larger(float a, float b) { return a > b || a != a ? a : b; }

struct Tiles {
  alignas(16) float rows[kDepth][kTileRows + kPad];
  alignas(16) float queries[kDepth][kTileQueries + kPad];
};

struct Page {
  std::size_t begin;
  std::size_t end;
};

// Repeats the last row past the end, which changes no maximum. Dimensions past the last are 0.
template <class T>
__device__ void load_rows(const Rows& rows, const Page& page, std::size_t from, std::size_t depth,
                          Tiles& tiles) {
  for (int at = static_cast<int>(threadIdx.x); at < kTileRows * kDepth; at += kThreads) {
    const int r = at / kDepth;
    const std::size_t d = depth + at % kDepth;
    const std::size_t row = min(from + r, page.end - 1);
    tiles.rows[at % kDepth][r] =
        d < rows.dim ? widened(row_of<T>(rows, row)[d]) * scale_of<T>(rows, row) : 0.0F;
  }
}

__device__ void load_queries(const float* query, std::size_t vectors, std::size_t dim,
                             std::size_t from, std::size_t depth, Tiles& tiles) {
  for (int at = static_cast<int>(threadIdx.x); at < kTileQueries * kDepth; at += kThreads) {
    const std::size_t q = from + at / kDepth;
    const std::size_t d = depth + at % kDepth;
    tiles.queries[at % kDepth][at / kDepth] = q < vectors && d < dim ? query[q * dim + d] : 0.0F;
  }
}

__device__ void multiply(const Tiles& tiles, int row, int query, float (&sums)[kEach][kEach]) {
#pragma unroll 8
  for (int d = 0; d < kDepth; ++d) {
    const float4 r = *reinterpret_cast<const float4*>(&tiles.rows[d][row * kEach]);
    const float4 q = *reinterpret_cast<const float4*>(&tiles.queries[d][query * kEach]);
    const float of_rows[kEach] = {r.x, r.y, r.z, r.w};
    const float of_queries[kEach] = {q.x, q.y, q.z, q.w};
#pragma unroll
    for (int i = 0; i < kEach; ++i) {
#pragma unroll
      for (int j = 0; j < kEach; ++j) sums[i][j] = fmaf(of_rows[i], of_queries[j], sums[i][j]);
    }
  }
}

// Returns, in thread 0, the sum over a tile of query vectors of the largest product with a row of
// the page.
template <class T>
__device__ float tile_score(const Rows& rows, const Page& page, const float* query,
                            std::size_t vectors, std::size_t first_query, Tiles& tiles) {
  __shared__ float largest_of[kRowThreads][kTileQueries];
  const int row = static_cast<int>(threadIdx.x) % kRowThreads;
  const int column = static_cast<int>(threadIdx.x) / kRowThreads;
  float largest[kEach];
  for (float& value : largest) value = -INFINITY;
  for (std::size_t from = page.begin; from < page.end; from += kTileRows) {
    float sums[kEach][kEach] = {};
    for (std::size_t depth = 0; depth < rows.dim; depth += kDepth) {
      __syncthreads();  // waits until all threads have read the last tiles
      load_rows<T>(rows, page, from, depth, tiles);
      load_queries(query, vectors, rows.dim, first_query, depth, tiles);
      __syncthreads();
      multiply(tiles, row, column, sums);
    }
    for (int j = 0; j < kEach; ++j) {
      for (int i = 0; i < kEach; ++i) largest[j] = larger(sums[i][j], largest[j]);
    }
  }
  __syncthreads();
  for (int j = 0; j < kEach; ++j) largest_of[row][column * kEach + j] = largest[j];
  __syncthreads();
  if (threadIdx.x != 0) return 0;
  float score = 0;
  for (int q = 0; q < kTileQueries && first_query + q < vectors; ++q) {
    float most = -INFINITY;
    for (int r = 0; r < kRowThreads; ++r) most = larger(largest_of[r][q], most);
    score += most;
  }
  return score;
}

template <class T>
__global__ void __launch_bounds__(kThreads)
    max_sim_kernel(Rows rows, const std::uint32_t* __restrict__ first,
                   const float* __restrict__ query, std::size_t vectors,
                   float* __restrict__ scores) {
  __shared__ Tiles tiles;
  const Page page{first[blockIdx.x], first[blockIdx.x + 1]};
  float score = page.begin == page.end ? -INFINITY : 0;
  if (page.begin != page.end) {
    for (std::size_t q = 0; q < vectors; q += kTileQueries) {
      score += tile_score<T>(rows, page, query, vectors, q, tiles);
    }
  }
  if (threadIdx.x == 0) scores[blockIdx.x] = score;
}

}  // namespace

void max_sim(const Rows& rows, const std::uint32_t* first, std::size_t pages, const float* query,
             std::size_t vectors, float* scores, cudaStream_t stream) {
  if (pages == 0) return;
  with_type(rows.type, [&](auto zero) {
    max_sim_kernel<decltype(zero)><<<static_cast<unsigned>(pages), kThreads, 0, stream>>>(
        rows, first, query, vectors, scores);
  });
}

}  // namespace fineprint::score::cuda
