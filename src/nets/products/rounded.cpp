// Multiplies rounded vectors, on processors that have instructions for it.
#include "nets/products/rounded.h"

#include "nets/products/rounded_kernel.h"

namespace fineprint::nets {
namespace {

const simd::Kernels<RoundedKernel>& kernels() {
  using enum simd::InstructionSet;
  static const simd::Kernels<RoundedKernel> table = {"products of rounded vectors",
                                                     "bfloat16 weights",
                                                     {
#if defined(__x86_64__)
                                                         {avx512_bf16, &kRoundedAvx512},
#elif defined(__aarch64__)
                                                         {neon_bf16, &kRoundedNeon},
#endif
                                                     }};
  return table;
}

// Runs when the library is loaded, so that simd::all_tables() lists the table before its first use.
[[maybe_unused]] const simd::KernelTable& kRoundedAtLoad = kernels();

// Returns nullptr if the processor has no such instructions.
const RoundedKernel* kernel() { return kernels().find(); }

}  // namespace

std::string rounded_kernel() { return simd::best_in_use({&kernels()}); }

bool has_tiles() { return simd::may_use(simd::InstructionSet::amx_bf16); }

std::int64_t rounded_size(std::int64_t vectors, std::int64_t columns) {
  return vectors * rounded_words(columns);
}

std::int64_t rounded_groups(std::int64_t vectors) { return group_count(vectors, kernel()->group); }

void round_vectors(const float* x, std::int64_t vectors, std::int64_t columns, std::int64_t begin,
                   std::int64_t end, std::uint32_t* out) {
  const std::int64_t groups = rounded_groups(vectors);
  for (std::int64_t group = begin; group < end; ++group) {
    const std::int64_t first = group_begin(vectors, groups, group);
    const std::int64_t count = group_begin(vectors, groups, group + 1) - first;
    kernel()->round(x + first * columns, count, columns, out + first * rounded_words(columns));
  }
}

void multiply_rounded(const RoundedProduct& product, std::int64_t begin, std::int64_t end) {
  kernel()->multiply(product, begin, end);
}

}  // namespace fineprint::nets
