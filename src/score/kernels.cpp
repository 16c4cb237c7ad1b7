// The tables of all kernels.
#include "score/kernels.h"

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/score/dense.h"

namespace fineprint::score {
namespace {

using enum simd::InstructionSet;

constexpr const char* kAllTypes = "float32, float16, bfloat16, int8";

// Created while the program loads, so that simd::all_tables() contains the tables before first use.
[[maybe_unused]] const KernelTables& kAtLoad = kernels();

}  // namespace

// In each table the best instruction set comes first. A kernel without a portable entry is
// optional.
const KernelTables& kernels() {
  static const KernelTables tables = {
      {"cosine",
       kAllTypes,
       {
#if defined(__x86_64__)
           {avx512, &kDenseAvx512},
           {avx2, &kDenseAvx2},
#elif defined(__aarch64__)
           {neon, &kDenseNeon},
#endif
           {portable, &kDensePortable}}},
      {"hybrid mask",
       kAllTypes,
       {
#if defined(__x86_64__)
           {avx512, &kMaskAvx512},
           {avx2, &kMaskAvx2},
#elif defined(__aarch64__)
           {neon, &kMaskNeon},
#endif
           {portable, &kMaskPortable}}},
      {"MaxSim",
       kAllTypes,
       {
#if defined(__x86_64__)
           {avx512, &kMaxSimAvx512},
           {avx2, &kMaxSimAvx2},
#elif defined(__aarch64__)
           {neon, &kMaxSimNeon},
#endif
           {portable, &kMaxSimPortable}}},
      {"MaxSim by codes",
       "int8, then float32",
       {
#if defined(__x86_64__)
           {avx512_vnni, &kCodesVnni},
           {avx2, &kCodesAvx2},
#elif defined(__aarch64__)
           {neon_dot, &kCodesNeonDot},
#endif
       }},
      {"MaxSim by signs",
       "one bit",
       {
#if defined(__x86_64__)
           {avx2, &kSignsAvx2},
#endif
           {portable, &kSignsPortable}}},
  };
  return tables;
}

std::string dense_kernel() {
  const KernelTables& all = kernels();
  return simd::best_in_use(
      {&all.dense, &all.mask, &all.max_sim, &all.max_sim_codes, &all.max_sim_signs});
}

std::vector<std::string> dense_kernels() {
  const KernelTables& all = kernels();
  return simd::set_names(
      {&all.dense, &all.mask, &all.max_sim, &all.max_sim_codes, &all.max_sim_signs});
}

void use_kernel(const std::string& name) {
  if (simd::limit_to(name)) return;
  throw Error(ErrorCode::internal, format("this machine cannot run the kernel '{}'", name));
}

}  // namespace fineprint::score
