// Prefetching for long rows: reads several rows at once and requests memory ahead in each of them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace fineprint::score {

// Memory delivers more if several long rows are read at once. Short rows would end before the
// processor has recognised the pattern of the reads.
constexpr std::size_t kRowsAtOnce = 8;
constexpr std::size_t kLongRowBytes = 3072;

// Bytes. Measured over 512 to 16384, the best overall.
constexpr std::size_t kAhead = 2048;
constexpr std::size_t kLine = 64;

// Requests a line into the second-level cache. The first level does not suit: the lines of eight
// rows map to few of its places, and it can have few requests in flight.
inline void ask_for(const std::uint8_t* at) { __builtin_prefetch(at, 0, 2); }

// Requests, for each of kRows rows, the bytes that are kAhead after [at, at + bytes). Past the end
// of a row that is the beginning of the row that will be read in its place.
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
