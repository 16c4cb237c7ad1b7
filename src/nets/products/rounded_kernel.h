// The functions that an instruction set with products of bfloat16 implements for rounded.h.
#pragma once

#include <cstdint>

#include "nets/products/kernel.h"
#include "nets/products/rounded.h"

namespace fineprint::nets {

// Values of x are stored in chunks of pairs of columns; a word holds a pair:
// [columns / (2 * kChunk), vectors of the group, kChunk].
constexpr std::int64_t rounded_words(std::int64_t columns) {
  return (columns + 2 * kChunk - 1) / (2 * kChunk) * kChunk;
}

// The functions of one instruction set. The caller makes sure that the processor has it.
struct RoundedKernel {
  std::int64_t group = 0;  // the most vectors that are multiplied together
  // Rounds one group: x [vectors, columns].
  void (*round)(const float* x, std::int64_t vectors, std::int64_t columns,
                std::uint32_t* out) = nullptr;
  void (*multiply)(const RoundedProduct& product, std::int64_t begin, std::int64_t end) = nullptr;
};

#if defined(__x86_64__)
extern const RoundedKernel kRoundedAvx512;
#elif defined(__aarch64__)
extern const RoundedKernel kRoundedNeon;
#endif

}  // namespace fineprint::nets
