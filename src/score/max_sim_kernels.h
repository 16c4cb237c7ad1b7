// The functions that each instruction set implements for MaxSim: widen rows, transpose blocks of
// them lane by lane, and multiply a block with a tile of query vectors. max_sim_scan.h has the
// loops around them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "fineprint/score/vector_rows.h"

namespace fineprint::score {

// Rows are padded with zeros to a multiple of this many bytes, which `transpose` takes at a time.
inline constexpr std::size_t kChunkBytes = 16;
inline constexpr std::size_t kMostLanes = 16;  // of any kernel
inline constexpr std::size_t kMostTile = 24;   // of any kernel

// An array that starts at a cache line, because a register stored across two lines costs double.
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

// Computes out[w * lanes + r] = the 4-byte word w of rows[r], for `lanes` rows of `bytes`, a
// multiple of kChunkBytes.
using TransposeRows = void(const std::uint8_t* const* rows, std::size_t bytes, std::uint32_t* out);

// For the N query vectors of a tile: raises largest[n * lanes + r] to the sum over d of
// block[d * lanes + r] * tile[d * N + n] if that is larger. NaN wins and stays. The sum runs
// through d in order in every lane, so that a row's product does not depend on its position. May
// prefetch the dim * lanes * 4 bytes from `ahead` on (they need not exist), because a processor
// cannot guess what follows a block that is read across.
using MultiplyTile = void(const float* block, const float* tile, std::size_t dim,
                          const std::uint8_t* ahead, float* largest);

// The float32 kernels of one instruction set.
struct MaxSimKernel {
  std::size_t lanes;      // number of rows in a block
  std::size_t most_tile;  // largest number of query vectors in a tile
  // Same as decode_row.
  void (*widen)(const VectorRows& rows, std::size_t r, float* out);
  TransposeRows* transpose;
  std::array<MultiplyTile*, kMostTile> multiply;  // [N - 1]
};

// A tile of query vectors in 8-bit codes: words[w * N + n] contains four codes of vector n.
struct CodeTile {
  const std::uint32_t* words;
  const std::int32_t* sums;  // [N], sum of the codes of each vector
};

// A block of page rows in 8-bit codes, as the kernel's `raise` left them. The words are transposed:
// [words, lanes].
struct CodeBlock {
  const std::uint32_t* words;
  std::size_t word_count;
  const float* scales;  // [lanes]
};

// Computes products[n * lanes + r] = scales[r] * <codes of row r, codes of query vector n>, where
// the sum is exact. Raises largest[n * lanes + r] to that if it is larger; NaN wins and stays.
// `ahead` is used as in MultiplyTile.
using MultiplyCodes = void(const CodeBlock& block, const CodeTile& tile, const std::uint8_t* ahead,
                           float* products, float* largest);

// The 8-bit kernels of one instruction set.
struct CodeKernel {
  std::size_t lanes;
  std::size_t most_tile;
  int levels;  // codes of the query are in -levels..levels
  TransposeRows* transpose;
  // Computes the squared length of each row's codes. If the kernel's products need codes without a
  // sign, also raises those of the block by 128, in place.
  void (*raise)(std::uint32_t* words, std::size_t word_count, std::int32_t* squares);
  std::array<MultiplyCodes*, kMostTile> multiply;  // [N - 1]
  // Returns a mask: bit r is set if some query vector n of `count` has
  // products[n * lanes + r] >= thresholds[n].
  std::uint32_t (*reaching)(const float* products, const float* thresholds, std::size_t count);
};

extern const MaxSimKernel kMaxSimPortable;
#if defined(__x86_64__)
extern const MaxSimKernel kMaxSimAvx2;
extern const MaxSimKernel kMaxSimAvx512;
extern const CodeKernel kCodesAvx2;
extern const CodeKernel kCodesVnni;  // AVX-512 with its BW and VNNI parts
#elif defined(__aarch64__)
extern const MaxSimKernel kMaxSimNeon;
extern const CodeKernel kCodesNeonDot;
#endif

}  // namespace fineprint::score
