// The functions that each instruction set implements for block_product.h, each in a file of its
// own.
#pragma once

#include <cstdint>

#include "nets/products/blocks/block_product.h"

namespace fineprint::nets {

// The functions of one instruction set. The caller makes sure that the processor has it.
struct BlockKernel {
  std::int64_t group = 0;  // the most vectors that are multiplied together
  // Quantises one group: x [vectors, columns].
  void (*quantise)(Codec codec, const float* x, std::int64_t vectors, std::int64_t columns,
                   std::uint8_t* out) = nullptr;
  void (*multiply)(const BlockProduct& product, std::int64_t begin, std::int64_t end) = nullptr;
};

extern const BlockKernel kBlocksPortable;
#if defined(__x86_64__)
extern const BlockKernel kBlocksAvx2;
extern const BlockKernel kBlocksAvx512;
extern const BlockKernel kBlocksVnni;
#elif defined(__aarch64__)
extern const BlockKernel kBlocksNeon;
extern const BlockKernel kBlocksNeonDot;
#endif

// Returns the bytes of a run in a group of vectors. A group is stored run by run: codes
// [run / 4, vectors, 4]; then, for each vector, the number that sums of products begin with, the
// codes' scale, and the scale times the sum of the codes.
constexpr std::int64_t run_bytes(std::int64_t run, std::int64_t vectors) {
  return vectors * (run + 12);
}

}  // namespace fineprint::nets
