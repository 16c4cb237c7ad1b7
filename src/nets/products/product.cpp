// Chooses the product's kernel for the processor at hand, and lays out vectors for it.
#include "nets/products/product.h"

#include <algorithm>
#include <atomic>

#include "nets/products/kernel.h"

namespace fineprint::nets {
namespace {

// Best first.
const std::vector<const ProductKernel*>& kernels() {
  static const std::vector<const ProductKernel*> found = [] {
    std::vector<const ProductKernel*> list;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")) {
      list.push_back(&kProductAvx512);
    }
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
      list.push_back(&kProductAvx2);
    }
#endif
    list.push_back(&kProductPortable);
    return list;
  }();
  return found;
}

std::atomic<const ProductKernel*>& chosen() {
  static std::atomic<const ProductKernel*> kernel = kernels().front();
  return kernel;
}

const ProductKernel& kernel_in_use() { return *chosen().load(std::memory_order_relaxed); }

}  // namespace

std::int64_t arranged_size(std::int64_t vectors, std::int64_t columns) {
  const std::int64_t wide = arranged_columns(columns);
  return vectors == 1 && wide == columns ? 0 : vectors * wide;
}

std::int64_t arranged_groups(std::int64_t vectors) {
  return group_count(vectors, kernel_in_use().group);
}

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

std::string product_kernel() { return kernel_in_use().name; }

std::vector<std::string> product_kernels() {
  std::vector<std::string> names;
  for (const ProductKernel* kernel : kernels()) names.emplace_back(kernel->name);
  return names;
}

bool use_product_kernel(const std::string& name) {
  for (const ProductKernel* kernel : kernels()) {
    if (!name.empty() && name != kernel->name) continue;
    chosen().store(kernel);
    return true;
  }
  return false;
}

}  // namespace fineprint::nets
