#include "benchmarks/read_speed.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

#include <sys/mman.h>

#include "benchmarks/plain_read.h"

namespace {

constexpr std::size_t kBytes = std::size_t{1} << 30;
constexpr std::size_t kHugePage = std::size_t{1} << 21;
constexpr std::size_t kPasses = 4;

using Memory = std::unique_ptr<std::uint8_t, decltype(&std::free)>;

Memory filled_memory() {
  Memory memory(static_cast<std::uint8_t*>(std::aligned_alloc(kHugePage, kBytes)), &std::free);
  if (memory == nullptr) std::abort();
  madvise(memory.get(), kBytes, MADV_HUGEPAGE);
  std::memset(memory.get(), 1, kBytes);
  return memory;
}

}  // namespace

double fineprint_read_gb_per_s(int threads) {
  using fineprint::testing::kReadPiece;
  static const Memory memory = filled_memory();
  constexpr std::size_t kPieces = kBytes / kReadPiece;
  std::atomic<std::size_t> next = 0;
  const auto start = std::chrono::steady_clock::now();
  {
    std::vector<std::jthread> readers;
    for (int i = 0; i < threads; ++i) {
      readers.emplace_back([&] {
        for (std::size_t piece; (piece = next++) < kPasses * kPieces;) {
          fineprint::testing::plain_read(memory.get() + piece % kPieces * kReadPiece, kReadPiece);
        }
      });
    }
  }
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
  return static_cast<double>(kPasses * kBytes) / passed.count() * 1e-9;
}
