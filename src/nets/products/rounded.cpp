// Products with rounded vectors, on processors that have instructions for them.
#include "nets/products/rounded.h"

#include "nets/products/rounded_kernel.h"

namespace fineprint::nets {
namespace {

// nullptr when the processor has no such instructions.
const RoundedKernel* kernel() {
#if defined(__x86_64__)
  static const bool kAble = __builtin_cpu_supports("avx512bf16") &&
                            __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw");
  if (kAble) return &kRoundedAvx512;
#endif
  return nullptr;
}

}  // namespace

std::string rounded_kernel() { return kernel() == nullptr ? "" : kernel()->name; }

bool has_tiles() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("amx-tile") && __builtin_cpu_supports("amx-bf16");
#else
  return false;
#endif
}

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
