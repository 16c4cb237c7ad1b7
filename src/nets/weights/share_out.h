// Divides a product's rows among LibTorch's threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

#include <ATen/Parallel.h>

#include "nets/layers/parallel.h"

namespace fineprint::nets {

// With fewer multiplications for each thread, waking it costs more than it saves.
constexpr std::int64_t kWorkPerThread = 1 << 15;
// Pieces of a product for each thread, which takes the next one when it finishes one. Two equal
// halves would take unequal time if something else runs on one core or uses the memory.
constexpr std::int64_t kPiecesPerThread = 8;
// Least bytes of the matrix in a piece; with less, the streams of its rows would be too short.
constexpr std::int64_t kPieceBytes = 1 << 18;

// Returns the least number of steps for a thread, in loops whose steps take `work_of_one`
// multiplications each.
inline std::int64_t grain(std::int64_t work_of_one, std::int64_t least) {
  return std::max(least, kWorkPerThread / std::max<std::int64_t>(work_of_one, 1));
}

// Calls body(begin, end) on all threads, over pieces of [0, count); no piece is smaller than
// `least` unless it is the last.
template <typename Body>
void share_out(std::int64_t count, std::int64_t least, const Body& body) {
  const std::int64_t threads = at::in_parallel_region() ? 1 : at::get_num_threads();
  const std::int64_t piece = std::max(least, count / (threads * kPiecesPerThread) + 1);
  if (threads == 1 || piece >= count) return body(0, count);
  std::atomic<std::int64_t> next = 0;
  parallel_loop(0, std::min(threads, (count - 1) / piece + 1), 1, [&](std::int64_t, std::int64_t) {
    for (std::int64_t begin; (begin = next.fetch_add(piece)) < count;) {
      body(begin, std::min(count, begin + piece));
    }
  });
}

}  // namespace fineprint::nets
