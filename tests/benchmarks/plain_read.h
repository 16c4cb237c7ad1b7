// A read of memory and nothing else, as fast as this machine was found to read: the floor of
// whatever is bound by that.
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(__x86_64__)
#define FINEPRINT_READ_CLONES \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define FINEPRINT_READ_CLONES
#endif

namespace fineprint::testing {

// A thread should read its share in pieces, taken one after the other: of two halves, one ends late
// when something else runs on a core.
constexpr std::size_t kReadPiece = std::size_t{1} << 20;

// `bytes` at `at`, up to whole lines, as four streams side by side with a request well ahead of
// each, which read faster than one stream and than a loop that leaves the requests to the
// processor.
FINEPRINT_READ_CLONES inline void plain_read(const std::uint8_t* at, std::size_t bytes) {
  using Words = std::uint64_t __attribute__((vector_size(64), aligned(1), may_alias));
  constexpr std::size_t kStreams = 4, kLine = 64, kAhead = 2048;
  const std::size_t stream = bytes / kStreams / kLine * kLine;
  Words sums[kStreams] = {};
  for (std::size_t i = 0; i < stream; i += kLine) {
#pragma GCC unroll 4
    for (std::size_t s = 0; s < kStreams; ++s) {
      __builtin_prefetch(at + s * stream + i + kAhead);
      sums[s] ^= *reinterpret_cast<const Words*>(at + s * stream + i);
    }
  }
  for (std::size_t i = kStreams * stream; i + kLine <= bytes; i += kLine) {
    sums[0] ^= *reinterpret_cast<const Words*>(at + i);
  }
  const Words all = sums[0] ^ sums[1] ^ sums[2] ^ sums[3];
  asm volatile("" : : "m"(all));
}

}  // namespace fineprint::testing
