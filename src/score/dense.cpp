// Chooses the dot product kernel for the processor at hand.
#include "fineprint/score/dense.h"

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

#include "score/dense_kernels.h"

namespace fineprint::score {
namespace {

struct Kernel {
  const char* name;
  DotRows* run;
};

// Best first.
const std::vector<Kernel>& kernels() {
  static const std::vector<Kernel> found = [] {
    std::vector<Kernel> list;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f")) list.push_back({"avx512", dot_rows_avx512});
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
      list.push_back({"avx2", dot_rows_avx2});
    }
#endif
    list.push_back({"portable", dot_rows_portable});
    return list;
  }();
  return found;
}

}  // namespace

void dot_rows(const float* query, const float* rows, std::size_t count, std::size_t dim,
              float* scores) {
  kernels().front().run(query, rows, count, dim, scores);
}

std::string dense_kernel() { return kernels().front().name; }

std::vector<std::string> dense_kernels() {
  std::vector<std::string> names;
  for (const Kernel& kernel : kernels()) names.emplace_back(kernel.name);
  return names;
}

void dot_rows_with(const std::string& kernel, const float* query, const float* rows,
                   std::size_t count, std::size_t dim, float* scores) {
  for (const Kernel& candidate : kernels()) {
    if (kernel == candidate.name) return candidate.run(query, rows, count, dim, scores);
  }
  throw Error(ErrorCode::internal, format("this machine cannot run the kernel '{}'", kernel));
}

}  // namespace fineprint::score
