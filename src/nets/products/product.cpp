// Chooses the product's kernel for this machine's processor, and arranges vectors for it.
#include "nets/products/product.h"

#include <algorithm>

#include "nets/products/kernel.h"

namespace fineprint::nets {
namespace {

const simd::Kernels<ProductKernel>& kernels() {
  using enum simd::InstructionSet;
  static const simd::Kernels<ProductKernel> table = {"products",
                                                     "float32, float16, bfloat16, int8 weights",
                                                     {
#if defined(__x86_64__)
                                                         {avx512, &kProductAvx512},
                                                         {avx2, &kProductAvx2},
#elif defined(__aarch64__)
                                                         {neon, &kProductNeon},
#endif
                                                         {portable, &kProductPortable}}};
  return table;
}

// Runs when the library is loaded, so that simd::all_tables() lists the table before its first use.
[[maybe_unused]] const simd::KernelTable& kAtLoad = kernels();

const ProductKernel& kernel_in_use() { return kernels().best(); }

}  // namespace

std::int64_t arranged_size(std::int64_t vectors, std::int64_t columns) {
  const std::int64_t wide = arranged_columns(columns);
  // A single vector of full lines needs no copy.
  return vectors == 1 && wide == columns ? 0 : vectors * wide;
}

std::int64_t arranged_groups(std::int64_t vectors) {
  return group_count(vectors, kernel_in_use().group);
}

// Chunks of all vectors of a group are next to each other, so a kernel reads one stream.
void arrange_vectors(const float* x, std::int64_t vectors, std::int64_t columns, std::int64_t begin,
                     std::int64_t end, float* out) {
  const std::int64_t groups = arranged_groups(vectors), wide = arranged_columns(columns);
  for (std::int64_t group = begin; group < end; ++group) {
    const std::int64_t first = group_begin(vectors, groups, group);
    const std::int64_t count = group_begin(vectors, groups, group + 1) - first;
    float* to = out + first * wide;
    for (std::int64_t c = 0; c < wide; c += kChunk) {
      const std::int64_t there = std::clamp<std::int64_t>(columns - c, 0, kChunk);
      for (std::int64_t v = 0; v < count; ++v, to += kChunk) {
        const float* from = x + (first + v) * columns + c;
        std::copy(from, from + there, to);
        std::fill(to + there, to + kChunk, 0.0F);
      }
    }
  }
}

void multiply_rows(const Product& product, std::int64_t begin, std::int64_t end) {
  kernel_in_use().multiply(product, begin, end);
}

void widen(const StoredMatrix& matrix, std::int64_t row, float* out) {
  kernel_in_use().widen(matrix, row, out);
}

std::string product_kernel() { return simd::best_in_use({&kernels()}); }

std::vector<std::string> product_kernels() { return simd::set_names({&kernels()}); }

bool use_product_kernel(const std::string& name) { return simd::limit_to(name); }

}  // namespace fineprint::nets
