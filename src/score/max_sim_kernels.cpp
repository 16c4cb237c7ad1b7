// Chooses MaxSim's kernels for the instruction set in use.
#include "score/max_sim_kernels.h"

#include <string>

#include "fineprint/score/dense.h"

namespace fineprint::score {

const MaxSimKernel& max_sim_kernel() {
#if defined(__x86_64__)
  const std::string name = dense_kernel();
  if (name == "avx512") return kMaxSimAvx512;
  if (name == "avx2") return kMaxSimAvx2;
#endif
  return kMaxSimPortable;
}

const CodeKernel* code_kernel() {
#if defined(__x86_64__)
  const std::string name = dense_kernel();
  if (name == "avx512" && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512vnni")) {
    return &kCodesVnni;
  }
  // Processors with AVX-512 have AVX2.
  if (name != "portable") return &kCodesAvx2;
#endif
  return nullptr;
}

}  // namespace fineprint::score
