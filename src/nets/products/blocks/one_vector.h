// One vector times rows of blocks: what is read is multiplied at once, and nothing is unpacked into
// memory. Included by tiles.h, behind each instruction set's `Set`.
#include <cstring>

#include "nets/products/blocks/unpack.h"

namespace fineprint::nets {
namespace {

// Rows behind each other are read side by side, as few as fill a register with their sums: memory
// gives most where it is read as it lies.
constexpr std::int64_t kRowsBeside = 4;
constexpr std::int64_t kRunsBeside = Set::kRows / kRowsBeside;
constexpr std::int64_t kRun = 32;
constexpr std::int64_t kBlockBytes = codec_facts(Codec::q8_0).bytes;

// Codecs whose codes are multiplied as they lie.
constexpr bool is_read_at_once(Codec codec) { return codec == Codec::q8_0; }

using RowSums = float __attribute__((vector_size(16)));  // of kRowsBeside rows

// The steps of kRuns blocks of each row: of row r and block b in lane kRowsBeside * b + r.
template <std::int64_t kRuns>
FINEPRINT_INLINE Lanes steps_of(const std::uint8_t* at, std::int64_t step) {
  Words halves = {};
#pragma GCC unroll 16
  for (std::int64_t i = 0; i < kRuns * kRowsBeside; ++i) {
    std::uint16_t half = 0;
    std::memcpy(&half, at + i % kRowsBeside * step + i / kRowsBeside * kBlockBytes, sizeof half);
    halves[i] = half;
  }
  return half_of(halves);
}

// Asks for kRunsBeside blocks of the rows behind these. What a processor fetches by itself comes
// too late: there is too much to do between a stream's lines.
FINEPRINT_INLINE void ask_for_next_rows(const std::uint8_t* at, std::int64_t step) {
#pragma GCC unroll 4
  for (std::int64_t row = 0; row < kRowsBeside; ++row) {
#pragma GCC unroll 4
    for (std::int64_t byte = 0; byte < kBlockBytes * kRunsBeside; byte += 64) {
      __builtin_prefetch(at + (kRowsBeside + row) * step + byte);
    }
  }
}

// Adds the products of kRuns blocks of each row with the vector's.
template <std::int64_t kRuns>
FINEPRINT_INLINE RowSums add_blocks(const std::uint8_t* at, std::int64_t step,
                                    const std::uint8_t* x, RowSums total) {
  constexpr std::int64_t kParts = kRowsBeside / Set::kRowsOfCodes;
  typename Set::Partial parts[kRunsBeside][kParts] = {};
#pragma GCC unroll 4
  for (std::int64_t run = 0; run < kRuns; ++run) {
#pragma GCC unroll 4
    for (std::int64_t part = 0; part < kParts; ++part) {
      parts[run][part] =
          Set::products_of_run(at + part * Set::kRowsOfCodes * step + run * kBlockBytes + 2, step,
                               x + run * run_bytes(kRun, 1));
    }
  }
  // Of one run alone the lanes beside it stay without use.
  constexpr std::int64_t kNext = kRuns == 1 ? 0 : run_bytes(kRun, 1);
  const Lanes sums = Set::floats(Set::sums_by_row(parts, x + kRun, kNext));
  const Lanes scales = steps_of<kRuns>(at, step) * Set::of_runs(x + kRun + 4, kNext);
#pragma GCC unroll 4
  for (int run = 0; run < kRuns; ++run) {
    total = Set::add_product(Set::rows_of(sums, run), Set::rows_of(scales, run), total);
  }
  return total;
}

FINEPRINT_TARGET RowSums multiply_beside(const StoredBlocks& weight, std::int64_t row,
                                         const std::uint8_t* x) {
  const std::int64_t step = weight.row_bytes(), runs = weight.columns / kRun;
  const std::uint8_t* at = weight.blocks + row * step;
  RowSums total = {};
  std::int64_t run = 0;
  for (; run + kRunsBeside <= runs; run += kRunsBeside) {
    ask_for_next_rows(at + run * kBlockBytes, step);
    total =
        add_blocks<kRunsBeside>(at + run * kBlockBytes, step, x + run * run_bytes(kRun, 1), total);
  }
  for (; run < runs; ++run) {
    total = add_blocks<1>(at + run * kBlockBytes, step, x + run * run_bytes(kRun, 1), total);
  }
  return total;
}

// The panels [begin, end) of a matrix for a single vector.
void multiply_one_vector(const BlockProduct& product, std::int64_t begin, std::int64_t end) {
  const std::int64_t rows = product.weight.rows, behind = std::min(rows, end * kPanelRows);
  for (std::int64_t row = begin * kPanelRows; row < behind; row += kRowsBeside) {
    // The last rows are read with some before them, whose results are not ours to store.
    const std::int64_t first = std::min(row, rows - kRowsBeside);
    const RowSums sums = multiply_beside(product.weight, first, product.x);
    for (std::int64_t r = row; r < std::min(row + kRowsBeside, behind); ++r) {
      product.y[r] = product.bias == nullptr ? sums[r - first] : sums[r - first] + product.bias[r];
    }
  }
}

}  // namespace
}  // namespace fineprint::nets
