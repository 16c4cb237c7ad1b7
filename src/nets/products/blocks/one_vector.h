// Multiplies one vector by rows of blocks. Codes are multiplied as they are read, and nothing is
// unpacked into memory. tiles.h includes this after each instruction set's `Set`.
#include <cstring>
#include <type_traits>

#include "nets/products/blocks/run_layout.h"
#include "nets/products/blocks/unpack.h"

namespace fineprint::nets {
namespace {

// Consecutive rows that are read together. They are as few as fill a register with their sums,
// because memory is fastest if it is read in order. The sum of row r and run n is in lane
// kRowsBeside * n + r.
constexpr std::int64_t kRowsBeside = 4;
constexpr std::int64_t kRunsBeside = Set::kRows / kRowsBeside;
// Registers for the codes of these rows.
constexpr std::int64_t kParts = kRowsBeside / Set::kRowsOfCodes;
constexpr std::int64_t kRun = 32;
// Bytes of the vector.
constexpr std::int64_t kRunBytes = run_bytes(kRun, 1);

using RowSums = float __attribute__((vector_size(16)));  // sums of kRowsBeside rows

using Halves = std::uint16_t __attribute__((vector_size(2 * Set::kRows)));

// The factors of a register of sums, and the numbers added to them.
struct RunScales {
  Lanes steps, leasts;
};

// Reads a number at the beginning of each of kRuns blocks of one run.
template <Codec kCodec, std::int64_t kRuns, typename Numbers>
FINEPRINT_INLINE Numbers heads_of(const std::uint8_t* at, std::int64_t step) {
  Numbers numbers = {};
#pragma GCC unroll 16
  for (std::int64_t i = 0; i < kRuns * kRowsBeside; ++i) {
    const std::int64_t block = i / kRowsBeside * codec_facts(kCodec).bytes;
    std::remove_reference_t<decltype(numbers[0])> number = 0;
    std::memcpy(&number, at + i % kRowsBeside * step + block, sizeof number);
    numbers[i] = number;
  }
  return numbers;
}

// Returns the scales of kRuns blocks of one run each. A block begins with its step; its least value
// follows if it has one.
template <Codec kCodec, std::int64_t kRuns>
FINEPRINT_INLINE RunScales scales_of(const std::uint8_t* at, std::int64_t step) {
  if constexpr (codec_facts(kCodec).least) {
    const auto both = heads_of<kCodec, kRuns, Words>(at, step);
    return {half_of(both), half_of(both >> 16)};
  } else {
    const auto steps = heads_of<kCodec, kRuns, Halves>(at, step);
    return {half_of(__builtin_convertvector(steps, Words)), Lanes{}};
  }
}

// Returns, for each lane, the byte of its word that belongs to its run; the first run is `run`.
FINEPRINT_INLINE Lanes byte_of_run(Words words, std::int64_t run) {
  Words places = {};
#pragma GCC unroll 16
  for (std::int64_t i = 0; i < Set::kRows; ++i) {
    places[i] = static_cast<std::uint32_t>(8 * ((run + i / kRowsBeside) % 4));
  }
  return float_of(words >> places & 0xFFU);
}

FINEPRINT_INLINE Lanes signed_byte_of_run(Words words, std::int64_t run) {
  Words places = {};
#pragma GCC unroll 16
  for (std::int64_t i = 0; i < Set::kRows; ++i) {
    places[i] = static_cast<std::uint32_t>(24 - 8 * ((run + i / kRowsBeside) % 4));
  }
  return Set::signed_floats(reinterpret_cast<Set::Signed>(words << places) >> 24);
}

// Returns the scales of the runs of a Q4_K or Q5_K block from `run` on. `head` holds the block's
// first 16 bytes, transposed.
FINEPRINT_INLINE RunScales block_scales(const Words (&head)[4], std::int64_t run) {
  const bool low = run < 4;
  const Words steps =
      low ? head[1] & 0x3F3F3F3FU : (head[3] & kNibbles) | (head[1] >> 2 & 0x30303030U);
  const Words leasts =
      low ? head[2] & 0x3F3F3F3FU : (head[3] >> 4 & kNibbles) | (head[2] >> 2 & 0x30303030U);
  return {half_of(head[0]) * byte_of_run(steps, run),
          -half_of(head[0] >> 16) * byte_of_run(leasts, run)};
}

// Multiplies a run with codes of five bits, whose highest bits are stored apart from the other
// four. `Fives` is a Set that has `fifths`.
template <Codec kCodec, typename Fives>
FINEPRINT_INLINE typename Fives::Partial products_of_fives(const std::uint8_t* at,
                                                           std::int64_t step, const std::uint8_t* x,
                                                           std::int64_t run) {
  if constexpr (kCodec == Codec::q5_k) {
    const std::uint8_t* pair = at + 48 + run / 2 * 32;
    const auto highs = Fives::template row_codes<RunLayout::bytes>(at + 16, step);
    const auto lows = run % 2 == 0 ? Fives::template row_codes<RunLayout::lows>(pair, step)
                                   : Fives::template row_codes<RunLayout::highs>(pair, step);
    return Fives::products_of_codes(lows | (highs >> run & kOnes) << 4, x);
  } else {
    const std::uint8_t* bits =
        at + run * codec_facts(kCodec).bytes + (kCodec == Codec::q5_1 ? 4 : 2);
    const auto lows = Fives::template row_codes<RunLayout::halves>(bits + 4, step);
    return Fives::products_of_codes(lows | Fives::fifths(bits), x);
  }
}

// Returns the products of one run of a piece, for the rows that share a register.
template <Codec kCodec>
FINEPRINT_INLINE typename Set::Partial products_of(const std::uint8_t* at, std::int64_t step,
                                                   const std::uint8_t* x, std::int64_t run) {
  constexpr std::int64_t kBytes = codec_facts(kCodec).bytes;
  if constexpr (kCodec == Codec::q8_0) {
    return Set::template products_of_run<RunLayout::bytes>(at + run * kBytes + 2, step, x);
  } else if constexpr (kCodec == Codec::q4_0 || kCodec == Codec::q4_1) {
    constexpr std::int64_t kScales = kCodec == Codec::q4_0 ? 2 : 4;
    return Set::template products_of_run<RunLayout::halves>(at + run * kBytes + kScales, step, x);
  } else if constexpr (codec_facts(kCodec).most == 31) {
    return products_of_fives<kCodec, Set>(at, step, x, run);
  } else {
    const std::uint8_t* pair = at + 16 + run / 2 * 32;
    return run % 2 == 0 ? Set::template products_of_run<RunLayout::lows>(pair, step, x)
                        : Set::template products_of_run<RunLayout::highs>(pair, step, x);
  }
}

// Adds the sums of products of kRuns runs. `numbers` points to the first run's numbers, which
// follow the vector's codes; the next run's are `next` bytes after them.
template <Codec kCodec, std::int64_t kRuns>
FINEPRINT_INLINE RowSums add_sums(Set::Signed sums, const RunScales& scales,
                                  const std::uint8_t* numbers, std::int64_t next, RowSums total) {
  constexpr CodecFacts kFacts = codec_facts(kCodec);
  if constexpr (kFacts.offset != 0) {
    sums += reinterpret_cast<Set::Signed>(Set::of_runs(numbers, next));
  }
  const Lanes values = Set::signed_floats(sums);
  const Lanes factors = scales.steps * reinterpret_cast<Lanes>(Set::of_runs(numbers + 4, next));
#pragma GCC unroll 4
  for (int run = 0; run < kRuns; ++run) {
    total = Set::add_product(Set::rows_of(values, run), Set::rows_of(factors, run), total);
    if constexpr (kFacts.least) {
      float sum = 0;
      std::memcpy(&sum, numbers + run * next + 8, sizeof sum);
      total =
          Set::add_product(Set::rows_of(scales.leasts, run), RowSums{sum, sum, sum, sum}, total);
    }
  }
  return total;
}

// Adds the products of kRuns runs of a piece, from run `first` on. `x` points to that run.
template <Codec kCodec, std::int64_t kRuns>
FINEPRINT_INLINE RowSums add_runs(const std::uint8_t* at, std::int64_t step, std::int64_t first,
                                  const std::uint8_t* x, const RunScales& scales, RowSums total) {
  typename Set::Partial parts[kRunsBeside][kParts] = {};
#pragma GCC unroll 4
  for (std::int64_t run = 0; run < kRuns; ++run) {
#pragma GCC unroll 4
    for (std::int64_t part = 0; part < kParts; ++part) {
      parts[run][part] = products_of<kCodec>(at + part * Set::kRowsOfCodes * step, step,
                                             x + run * kRunBytes, first + run);
    }
  }
  // With one run only, the lanes of the other runs are not used.
  constexpr std::int64_t kNext = kRuns == 1 ? 0 : kRunBytes;
  return add_sums<kCodec, kRuns>(Set::sums_by_row(parts), scales, x + kRun, kNext, total);
}

// Adds the products of a Q4_K or Q5_K block, which has eight runs.
template <Codec kCodec>
FINEPRINT_INLINE RowSums add_block_of_eight(const std::uint8_t* at, std::int64_t step,
                                            const std::uint8_t* x, RowSums total) {
  Words head[4];
  Set::turn_rows(at, step, head);
#pragma GCC unroll 8
  for (std::int64_t run = 0; run < 8; run += kRunsBeside) {
    total = add_runs<kCodec, kRunsBeside>(at, step, run, x + run * kRunBytes,
                                          block_scales(head, run), total);
  }
  return total;
}

// Multiplies 32 columns with codes of six bits: number `piece` of a block's eight. The four low
// bits of each code are nibbles, the two high bits are elsewhere. `Pairs` is a Set whose registers
// hold two runs of each row.
template <typename Pairs>
FINEPRINT_INLINE typename Pairs::Partial products_of_q6_k(const std::uint8_t* at, std::int64_t step,
                                                          const std::uint8_t* x,
                                                          std::int64_t piece) {
  const std::int64_t half = piece / 4, quarter = piece % 4;
  const std::uint8_t* lows = at + 64 * half + 32 * (quarter % 2);
  const auto highs = Pairs::template row_codes<RunLayout::bytes>(at + 128 + 32 * half, step);
  const auto codes = quarter < 2 ? Pairs::template row_codes<RunLayout::lows>(lows, step)
                                 : Pairs::template row_codes<RunLayout::highs>(lows, step);
  return Pairs::products_of_pair(codes | (highs >> 2 * quarter & kPairs) << 4, x);
}

// Adds the products of a Q6_K block, which has sixteen runs of 16.
template <typename Pairs>
FINEPRINT_INLINE RowSums add_block_of_q6_k(const std::uint8_t* at, std::int64_t step,
                                           const std::uint8_t* x, RowSums total) {
  constexpr std::int64_t kShort = run_bytes(16, 1);
  constexpr std::int64_t kPairsBeside = Pairs::kRows / kRowsBeside / 2;
  Words codes[4], tail[4];
  Pairs::turn_rows(at + 192, step, codes);
  Pairs::turn_rows(at + 194, step, tail);
  const Lanes scale = half_of(tail[3] >> 16);
#pragma GCC unroll 8
  for (std::int64_t run = 0; run < 16; run += kRunsBeside) {
    typename Pairs::Partial parts[kPairsBeside][kParts];
#pragma GCC unroll 2
    for (std::int64_t pair = 0; pair < kPairsBeside; ++pair) {
#pragma GCC unroll 4
      for (std::int64_t part = 0; part < kParts; ++part) {
        parts[pair][part] = products_of_q6_k<Pairs>(at + part * Pairs::kRowsOfCodes * step, step,
                                                    x + (run + 2 * pair) * kShort, run / 2 + pair);
      }
    }
    const RunScales scales = {scale * signed_byte_of_run(codes[run / 4], run), Lanes{}};
    total = add_sums<Codec::q6_k, kRunsBeside>(Pairs::sums_of_pairs(parts), scales,
                                               x + run * kShort + 16, kShort, total);
  }
  return total;
}

// How many rows ahead memory is prefetched. With only the next four, the data comes too late.
constexpr std::int64_t kRowsAhead = 2 * kRowsBeside;

// Prefetches `kBytes`, because the processor's own prefetching comes too late: there is too much
// work between two cache lines of a stream.
template <std::int64_t kBytes>
FINEPRINT_INLINE void prefetch(const std::uint8_t* at) {
#pragma GCC unroll 16
  for (std::int64_t byte = 0; byte < kBytes; byte += 64) __builtin_prefetch(at + byte);
}

template <Codec kCodec>
FINEPRINT_TARGET RowSums multiply_beside(const StoredBlocks& weight, std::int64_t row,
                                         const std::uint8_t* x) {
  constexpr CodecFacts kFacts = codec_facts(kCodec);
  constexpr std::int64_t kBlocks = kFacts.values == kRun ? kRunsBeside : 1;
  const std::int64_t step = weight.row_bytes(), blocks = weight.columns / kFacts.values;
  const std::uint8_t* at = weight.blocks + row * step;
  // The rows are read side by side, but later ones are prefetched from the first byte to the last,
  // because memory is fastest in that order.
  const std::uint8_t* ahead = at + kRowsAhead * step;
  RowSums total = {};
  std::int64_t block = 0;
  for (; block + kBlocks <= blocks; block += kBlocks) {
    prefetch<kRowsBeside * kBlocks * kFacts.bytes>(ahead);
    ahead += kRowsBeside * kBlocks * kFacts.bytes;
    if constexpr (kCodec == Codec::q4_k || kCodec == Codec::q5_k) {
      total = add_block_of_eight<kCodec>(at, step, x, total);
    } else if constexpr (kCodec == Codec::q6_k) {
      total = add_block_of_q6_k<Set>(at, step, x, total);
    } else {
      total =
          add_runs<kCodec, kBlocks>(at, step, 0, x, scales_of<kCodec, kBlocks>(at, step), total);
    }
    at += kBlocks * kFacts.bytes;
    x += kBlocks * kFacts.values / kFacts.run * run_bytes(kFacts.run, 1);
  }
  if constexpr (kBlocks > 1) {
    for (; block < blocks; ++block, at += kFacts.bytes, x += kRunBytes) {
      total = add_runs<kCodec, 1>(at, step, 0, x, scales_of<kCodec, 1>(at, step), total);
    }
  }
  return total;
}

// A template, because the portable Set has no functions for pairs of runs, and only a template may
// leave a branch out that does not compile.
using MultiplyBeside = RowSums (*)(const StoredBlocks&, std::int64_t, const std::uint8_t*);

template <typename Pairs>
MultiplyBeside pairs_beside() {
  if constexpr (Pairs::kRows > kRowsBeside) {
    return multiply_beside<Codec::q6_k>;
  } else {
    return nullptr;
  }
}

// Only some Sets can read codes of five bits in place.
template <typename Fives>
MultiplyBeside fives_beside(Codec codec) {
  if constexpr (requires { Fives::fifths(nullptr); }) {
    if (codec == Codec::q5_0) return multiply_beside<Codec::q5_0>;
    if (codec == Codec::q5_1) return multiply_beside<Codec::q5_1>;
    return multiply_beside<Codec::q5_k>;
  } else {
    return nullptr;
  }
}

// Returns the kernel of codecs whose codes can be multiplied in place; else nullptr.
MultiplyBeside beside_for(Codec codec) {
  switch (codec) {
    case Codec::q4_0:
      return multiply_beside<Codec::q4_0>;
    case Codec::q4_1:
      return multiply_beside<Codec::q4_1>;
    case Codec::q5_0:
    case Codec::q5_1:
    case Codec::q5_k:
      return fives_beside<Set>(codec);
    case Codec::q8_0:
      return multiply_beside<Codec::q8_0>;
    case Codec::q4_k:
      return multiply_beside<Codec::q4_k>;
    case Codec::q6_k:  // two runs at once
      return pairs_beside<Set>();
    default:
      return nullptr;
  }
}

// Multiplies the panels [begin, end) of a matrix by a single vector.
void multiply_one_vector(const BlockProduct& product, MultiplyBeside multiply, std::int64_t begin,
                         std::int64_t end) {
  const std::int64_t rows = product.weight.rows, row_end = std::min(rows, end * kPanelRows);
  for (std::int64_t row = begin * kPanelRows; row < row_end; row += kRowsBeside) {
    // The last rows are read together with some earlier ones, whose results are not stored.
    const std::int64_t first = std::min(row, rows - kRowsBeside);
    const RowSums sums = multiply(product.weight, first, product.x);
    for (std::int64_t r = row; r < std::min(row + kRowsBeside, row_end); ++r) {
      product.y[r] = product.bias == nullptr ? sums[r - first] : sums[r - first] + product.bias[r];
    }
  }
}

}  // namespace
}  // namespace fineprint::nets
