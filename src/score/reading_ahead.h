// How long rows are read from memory: several side by side, each with requests ahead of it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace fineprint::score {

// Memory delivers more when several long rows are read side by side; of short ones, each would end
// before the processor has seen where the reads are going.
constexpr std::size_t kRowsAtOnce = 8;
constexpr std::size_t kLongRowBytes = 3072;

// Bytes; of 512 to 16384 the best on the whole.
constexpr std::size_t kAhead = 2048;
constexpr std::size_t kLine = 64;

// Asks for a line into the second cache. The first one is no good for that: the lines of eight rows
// fall upon few of its places, and it has room for few that are under way.
inline void ask_for(const std::uint8_t* at) { __builtin_prefetch(at, 0, 2); }

// Asks for what each of kRows rows has kAhead bytes after [at, at + bytes); behind a row's end
// begins the one that will be read in its place.
template <std::size_t kRows>
inline void ask_ahead(const std::uint8_t* row, std::size_t row_bytes, std::size_t at,
                      std::size_t bytes) {
  std::size_t ahead = at + kAhead;
  if (ahead >= row_bytes) ahead += (kRows - 1) * row_bytes;
  for (std::size_t line = 0; line < bytes; line += kLine) {
#pragma GCC unroll 8
    for (std::size_t r = 0; r < kRows; ++r) ask_for(row + r * row_bytes + ahead + line);
  }
}

}  // namespace fineprint::score
