// What every instruction set has of its own behind block_product.h; each in its own file.
#pragma once

#include <cstdint>

#include "nets/products/blocks/block_product.h"

namespace fineprint::nets {

// The caller makes sure that the processor has the instructions.
struct BlockKernel {
  std::int64_t group = 0;  // vectors that are multiplied at a time, at most
  // One group: x [vectors, columns].
  void (*quantise)(Codec codec, const float* x, std::int64_t vectors, std::int64_t columns,
                   std::uint8_t* out) = nullptr;
  void (*multiply)(const BlockProduct& product, std::int64_t begin, std::int64_t end) = nullptr;
};

extern const BlockKernel kBlocksPortable;
#if defined(__x86_64__)
extern const BlockKernel kBlocksAvx2;
extern const BlockKernel kBlocksAvx512;
extern const BlockKernel kBlocksVnni;
#endif

// Vectors of a group lie run by run: codes [run / 4, vectors, 4], and for each vector the number
// that sums of products begin with, the codes' scale, and the scale times the sum of the codes.
constexpr std::int64_t run_bytes(std::int64_t run, std::int64_t vectors) {
  return vectors * (run + 12);
}

}  // namespace fineprint::nets
