// Chooses the kernel for the processor at hand, and hands one query to it.
#include "fineprint/score/dense.h"

#include <atomic>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

#include "score/dense_kernels.h"

namespace fineprint::score {
namespace {

// Best first.
const std::vector<const DenseKernel*>& kernels() {
  static const std::vector<const DenseKernel*> found = [] {
    std::vector<const DenseKernel*> list;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")) {
      list.push_back(__builtin_cpu_supports("avx512vnni") ? &kDenseAvx512 : &kDenseAvx512NoVnni);
    }
    // Every processor with AVX2 has F16C.
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
      list.push_back(&kDenseAvx2);
    }
#endif
    list.push_back(&kDensePortable);
    return list;
  }();
  return found;
}

std::atomic<const DenseKernel*>& chosen() {
  static std::atomic<const DenseKernel*> kernel = kernels().front();
  return kernel;
}

}  // namespace

const DenseKernel& kernel_in_use() { return *chosen().load(std::memory_order_relaxed); }

void dot_rows(const float* query, const VectorRows& rows, float* scores) {
  kernel_in_use().dot(query, rows, scores);
}

std::string dense_kernel() { return kernel_in_use().name; }

std::vector<std::string> dense_kernels() {
  std::vector<std::string> names;
  for (const DenseKernel* kernel : kernels()) names.emplace_back(kernel->name);
  return names;
}

void use_kernel(const std::string& name) {
  for (const DenseKernel* kernel : kernels()) {
    if (!name.empty() && name != kernel->name) continue;
    chosen().store(kernel);
    return;
  }
  throw Error(ErrorCode::internal, format("this machine cannot run the kernel '{}'", name));
}

}  // namespace fineprint::score
