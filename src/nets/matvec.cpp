// A matrix times one vector: what every layer does for each token of a reply.
#include "nets/matvec.h"

#include <algorithm>

#include <ATen/Parallel.h>

namespace fineprint::nets {
namespace {

// One register of AVX-512, two of AVX2, four of SSE.
using Lanes = float __attribute__((vector_size(64)));
// The same where it lies in memory, at any address.
using StoredLanes = float __attribute__((vector_size(64), aligned(4), may_alias));
constexpr std::int64_t kLanes = 16;
// Rows that are read side by side share the loads of x; more streams outrun the prefetchers.
constexpr std::int64_t kRows = 4;
// Values ahead that are asked for: a kilobyte, at which reading was fastest.
constexpr std::int64_t kAhead = 256;
// Below this many values per thread, waking a thread costs more than it does.
constexpr std::int64_t kValuesPerThread = 1 << 15;

// Rows [begin, end). Compiled once for each instruction set; the loader picks.
#if defined(__x86_64__)
__attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#endif
void rows_times(const float* weight, const float* x, const float* bias, std::int64_t begin,
                std::int64_t end, std::int64_t columns, float* y) {
  const std::int64_t whole = columns / kLanes * kLanes;
  for (std::int64_t row = begin; row < end; row += kRows) {
    // The last rows are computed again rather than apart.
    const std::int64_t first = std::max(begin, std::min(row, end - kRows));
    const std::int64_t count = std::min(kRows, end - first);
    const float* at[kRows];
    for (std::int64_t r = 0; r < kRows; ++r)
      at[r] = weight + (first + std::min(r, count - 1)) * columns;
    Lanes sums[kRows] = {};
    for (std::int64_t c = 0; c < whole; c += kLanes) {
      const Lanes xs = *reinterpret_cast<const StoredLanes*>(x + c);
      for (std::int64_t r = 0; r < kRows; ++r) {
        __builtin_prefetch(at[r] + c + kAhead);
        sums[r] += *reinterpret_cast<const StoredLanes*>(at[r] + c) * xs;
      }
    }
    for (std::int64_t r = 0; r < count; ++r) {
      float total = bias == nullptr ? 0.0F : bias[first + r];
      for (std::int64_t i = 0; i < kLanes; ++i) total += sums[r][i];
      for (std::int64_t c = whole; c < columns; ++c) total += at[r][c] * x[c];
      y[first + r] = total;
    }
  }
}

}  // namespace

void matvec(const float* weight, const float* x, const float* bias, std::int64_t rows,
            std::int64_t columns, float* y) {
  const std::int64_t grain =
      std::max<std::int64_t>(kRows, kValuesPerThread / std::max<std::int64_t>(columns, 1));
  at::parallel_for(0, rows, grain, [&](std::int64_t begin, std::int64_t end) {
    rows_times(weight, x, bias, begin, end, columns, y);
  });
}

}  // namespace fineprint::nets
