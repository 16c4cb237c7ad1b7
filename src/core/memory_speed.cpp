// Measures how fast this machine reads memory.
#include "fineprint/core/memory_speed.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <vector>

#include "fineprint/core/threads.h"

namespace fineprint {
namespace {

// 256 MiB, more than the caches of current processors; pieces of 1 MiB keep the threads equally
// busy.
constexpr std::size_t kMeasuredWords = (std::size_t{256} << 20) / sizeof(std::uint64_t);
constexpr std::size_t kPieceWords = (std::size_t{1} << 20) / sizeof(std::uint64_t);
constexpr std::size_t kPieces = kMeasuredWords / kPieceWords;

// Eight independent sums, because the additions of a single sum would wait for each other, not for
// memory.
std::uint64_t sum_of_piece(const std::uint64_t* words) {
  std::uint64_t sums[8] = {};
  for (std::size_t i = 0; i < kPieceWords; i += 8) {
    for (std::size_t k = 0; k < 8; ++k) sums[k] += words[i + k];
  }
  std::uint64_t sum = 0;
  for (const std::uint64_t part : sums) sum += part;
  return sum;
}

}  // namespace

double memory_bytes_per_second(int threads) {
  const std::vector<std::uint64_t> words(kMeasuredWords, 1);
  std::atomic<std::uint64_t> sum = 0;
  const auto begin = std::chrono::steady_clock::now();
  parallel_for(kPieces, threads,
               [&](std::size_t piece) { sum += sum_of_piece(words.data() + piece * kPieceWords); });
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
  // All words are 1, so the sum shows that every word was read, and the compiler cannot skip the
  // loop.
  if (sum != kMeasuredWords || passed.count() <= 0) return 0;
  return static_cast<double>(kMeasuredWords * sizeof(std::uint64_t)) / passed.count();
}

}  // namespace fineprint
