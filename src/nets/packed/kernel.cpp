// Chooses the kernel for the processor at hand.
#include "nets/packed/kernel.h"

#include <atomic>

namespace fineprint::nets {
namespace {

// Best first.
const std::vector<PackedKernel>& kernels() {
  static const std::vector<PackedKernel> found = [] {
    std::vector<PackedKernel> list;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")) {
      if (__builtin_cpu_supports("avx512vnni")) {
        list.push_back({"avx512-vnni", kRowsAvx512, kCodesVnni});
      }
      list.push_back({"avx512", kRowsAvx512, kCodesAvx2});
    }
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
      list.push_back({"avx2", kRowsAvx2, kCodesAvx2});
    }
#endif
    list.push_back({"portable", kRowsPortable, kCodesPortable});
    return list;
  }();
  return found;
}

std::atomic<const PackedKernel*>& chosen() {
  static std::atomic<const PackedKernel*> kernel = &kernels().front();
  return kernel;
}

}  // namespace

const PackedKernel& packed_kernel() { return *chosen().load(std::memory_order_relaxed); }

std::vector<std::string> packed_kernels() {
  std::vector<std::string> names;
  for (const PackedKernel& kernel : kernels()) names.emplace_back(kernel.name);
  return names;
}

bool use_packed_kernel(const std::string& name) {
  for (const PackedKernel& kernel : kernels()) {
    if (!name.empty() && name != kernel.name) continue;
    chosen().store(&kernel);
    return true;
  }
  return false;
}

}  // namespace fineprint::nets
