// Chooses the kernel for this machine's processor.
#include "nets/products/blocks/block_product.h"

#include "fineprint/simd/kernel_table.h"

#include "nets/products/blocks/kernel.h"
#include "nets/products/kernel.h"

namespace fineprint::nets {
namespace {

const simd::Kernels<BlockKernel>& kernels() {
  using enum simd::InstructionSet;
  static const simd::Kernels<BlockKernel> table = {"products of quantised weights",
                                                   "GGUF's blocks",
                                                   {
#if defined(__x86_64__)
                                                       {avx512_vnni, &kBlocksVnni},
                                                       {avx512, &kBlocksAvx512},
                                                       {avx2, &kBlocksAvx2},
#elif defined(__aarch64__)
                                                       {neon_dot, &kBlocksNeonDot},
                                                       {neon, &kBlocksNeon},
#endif
                                                       {portable, &kBlocksPortable}}};
  return table;
}

// Runs when the library is loaded, so that simd::all_tables() lists the table before its first use.
[[maybe_unused]] const simd::KernelTable& kBlocksAtLoad = kernels();

}  // namespace

std::int64_t quantised_size(Codec codec, std::int64_t vectors, std::int64_t columns) {
  const std::int64_t run = codec_facts(codec).run;
  return columns / run * run_bytes(run, vectors);
}

std::int64_t quantised_groups(std::int64_t vectors) {
  return group_count(vectors, kernels().best().group);
}

void quantise_vectors(Codec codec, const float* x, std::int64_t vectors, std::int64_t columns,
                      std::int64_t begin, std::int64_t end, std::uint8_t* out) {
  const std::int64_t groups = quantised_groups(vectors);
  for (std::int64_t group = begin; group < end; ++group) {
    const std::int64_t first = group_begin(vectors, groups, group);
    const std::int64_t count = group_begin(vectors, groups, group + 1) - first;
    kernels().best().quantise(codec, x + first * columns, count, columns,
                              out + quantised_size(codec, first, columns));
  }
}

void multiply_panels(const BlockProduct& product, std::int64_t begin, std::int64_t end) {
  kernels().best().multiply(product, begin, end);
}

void widen_groups(const StoredBlocks& matrix, std::int64_t row, float* out) {
  const std::uint8_t* blocks = matrix.blocks + row * matrix.row_bytes();
  const std::int64_t groups = matrix.columns / matrix.group;
  // Only look-ups of rows come here, so plain code is fast enough.
  for (std::int64_t c = 0; c < matrix.columns; ++c) {
    int code = 0;
    if (matrix.codec == Codec::grouped8) {
      code = blocks[c] - 128;
    } else {
      const std::uint8_t both = blocks[c / 32 * 16 + c % 16];
      code = c % 32 < 16 ? both & 15 : both >> 4;
    }
    const std::int64_t group = row * groups + c / matrix.group;
    out[c] = matrix.steps[group] * static_cast<float>(code) + matrix.leasts[group];
  }
}

std::string block_kernel() { return simd::best_in_use({&kernels()}); }

std::vector<std::string> block_kernels() { return simd::set_names({&kernels()}); }

}  // namespace fineprint::nets
