// How a product's rows are shared out among LibTorch's threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

#include <ATen/Parallel.h>

namespace fineprint::nets {

// Below this many multiplications per thread, waking a thread costs more than it does.
constexpr std::int64_t kWorkPerThread = 1 << 15;
// Pieces that each thread takes of a product, one after the other, as it gets done with them: two
// equal halves take unequal time when something else runs on one core or reads memory.
constexpr std::int64_t kPiecesPerThread = 8;
// Bytes of the matrix in a piece at least: the streams of its rows are too short else.
constexpr std::int64_t kPieceBytes = 1 << 18;

// Of loops whose steps take `work_of_one` multiplications each.
inline std::int64_t grain(std::int64_t work_of_one, std::int64_t least) {
  return std::max(least, kWorkPerThread / std::max<std::int64_t>(work_of_one, 1));
}

// body(begin, end) on all threads, over pieces of [0, count) of which none is smaller than `least`.
template <typename Body>
void share_out(std::int64_t count, std::int64_t least, const Body& body) {
  const std::int64_t threads = at::in_parallel_region() ? 1 : at::get_num_threads();
  const std::int64_t piece = std::max(least, count / (threads * kPiecesPerThread) + 1);
  if (threads == 1 || piece >= count) return body(0, count);
  std::atomic<std::int64_t> next = 0;
  at::parallel_for(0, std::min(threads, (count - 1) / piece + 1), 1,
                   [&](std::int64_t, std::int64_t) {
                     for (std::int64_t begin; (begin = next.fetch_add(piece)) < count;) {
                       body(begin, std::min(count, begin + piece));
                     }
                   });
}

}  // namespace fineprint::nets
