// What an instruction set does for MaxSim: widens rows, lays blocks of them out lane by lane, and
// multiplies a block with a tile of query vectors. The loops around that are in max_sim_scan.h.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "fineprint/score/vector_rows.h"

namespace fineprint::score {

// Rows are padded with zeros to a multiple of this many bytes, the unit of `transpose`.
inline constexpr std::size_t kChunkBytes = 16;
inline constexpr std::size_t kMostLanes = 16;
inline constexpr std::size_t kMostTile = 24;

// Numbers that start with a cache line: a register stored across two costs double.
template <class Number>
class Lines {
 public:
  explicit Lines(std::size_t count = 0) : lines_((count + kOfLine - 1) / kOfLine) {}
  void grow(std::size_t count) {
    if (count > lines_.size() * kOfLine) *this = Lines(count);
  }
  void fill(Number value) { std::fill(data(), data() + lines_.size() * kOfLine, value); }
  Number* data() { return reinterpret_cast<Number*>(lines_.data()); }
  Number& operator[](std::size_t i) { return data()[i]; }

 private:
  static constexpr std::size_t kOfLine = 64 / sizeof(Number);
  struct alignas(64) Line {
    Number numbers[kOfLine];
  };
  std::vector<Line> lines_;
};

// out[w * lanes + r] = the 4-byte word w of rows[r], for `lanes` rows of `bytes` (whole chunks).
using TransposeRows = void(const std::uint8_t* const* rows, std::size_t bytes, std::uint32_t* out);

// largest[n * lanes + r] becomes the larger of itself and sum over d of block[d * lanes + r] *
// tile[d * N + n], for the N query vectors of a tile; NaN wins and stays. The sum runs through d
// in order, whatever the lane, so that a row's product does not depend on its place. Meanwhile the
// dim * lanes * 4 bytes from `ahead` on may be fetched into the cache (they need not exist): a
// processor does not guess by itself what comes after a block that is read across.
using MultiplyTile = void(const float* block, const float* tile, std::size_t dim,
                          const std::uint8_t* ahead, float* largest);

struct MaxSimKernel {
  std::size_t lanes;      // rows of a block
  std::size_t most_tile;  // query vectors of a tile, at most
  // Row r as decode_row gives it.
  void (*widen)(const VectorRows& rows, std::size_t r, float* out);
  TransposeRows* transpose;
  std::array<MultiplyTile*, kMostTile> multiply;  // [N - 1]
};

// A tile of query vectors in 8-bit codes: words[w * N + n] holds four codes of vector n.
struct CodeTile {
  const std::uint32_t* words;
  const std::int32_t* sums;  // [N], of a vector's codes
};

// A block of page rows in 8-bit codes, each raised by 128: transposed words, [words, lanes].
struct CodeBlock {
  const std::uint32_t* words;
  std::size_t word_count;
  const float* scales;  // [lanes]
};

// products[n * lanes + r] = scales[r] * <codes of row r, codes of query vector n>, the sum exact;
// largest[n * lanes + r] becomes the larger of itself and that; NaN wins and stays.
// `ahead` as above.
using MultiplyCodes = void(const CodeBlock& block, const CodeTile& tile, const std::uint8_t* ahead,
                           float* products, float* largest);

struct CodeKernel {
  std::size_t lanes;
  std::size_t most_tile;
  int levels;  // codes of the query lie within -levels..levels
  TransposeRows* transpose;
  // Raises the codes of a block by 128, in place, and gives the squared length of each row's codes.
  void (*raise)(std::uint32_t* words, std::size_t word_count, std::int32_t* squares);
  std::array<MultiplyCodes*, kMostTile> multiply;  // [N - 1]
  // Bit r: some query vector n of `count` has products[n * lanes + r] >= thresholds[n].
  std::uint32_t (*reaching)(const float* products, const float* thresholds, std::size_t count);
};

extern const MaxSimKernel kMaxSimPortable;
#if defined(__x86_64__)
extern const MaxSimKernel kMaxSimAvx2;
extern const MaxSimKernel kMaxSimAvx512;
extern const CodeKernel kCodesAvx2;
extern const CodeKernel kCodesVnni;  // AVX-512 with its BW and VNNI parts
#endif

}  // namespace fineprint::score
