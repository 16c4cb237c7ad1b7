// Chooses the kernels for this machine's processor.
#include "nets/packed/kernel.h"

#include "fineprint/simd/kernel_table.h"

namespace fineprint::nets {
namespace {

using enum simd::InstructionSet;

struct PackedTables {
  simd::Kernels<RowsKernel> rows;
  simd::Kernels<CodesKernel> codes;
};

const PackedTables& kernels() {
  static const PackedTables tables = {
      {"text encoder",
       "float32",
       {
#if defined(__x86_64__)
           {avx512, &kRowsAvx512},
           {avx2, &kRowsAvx2},
#elif defined(__aarch64__)
           {neon, &kRowsNeon},
#endif
           {portable, &kRowsPortable}}},
      {"text encoder's products",
       "int8",
       {
#if defined(__x86_64__)
           {avx512_vnni, &kCodesVnni},
           {avx2, &kCodesAvx2},
#elif defined(__aarch64__)
           {neon_i8mm, &kCodesNeonI8mm},
           {neon_dot, &kCodesNeonDot},
           {neon, &kCodesNeon},
#endif
           {portable, &kCodesPortable}}},
  };
  return tables;
}

// Runs when the library is loaded, so that simd::all_tables() lists the tables before their first
// use.
[[maybe_unused]] const PackedTables& kAtLoad = kernels();

}  // namespace

const RowsKernel& rows_kernel() { return kernels().rows.best(); }

const CodesKernel& codes_kernel() { return kernels().codes.best(); }

std::string packed_kernel() { return simd::best_in_use({&kernels().rows, &kernels().codes}); }

std::vector<std::string> packed_kernels() {
  return simd::set_names({&kernels().rows, &kernels().codes});
}

bool use_packed_kernel(const std::string& name) { return simd::limit_to(name); }

}  // namespace fineprint::nets
