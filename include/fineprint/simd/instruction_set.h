// Says which vector instruction sets this machine and this build have, and which ones kernels may
// use.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fineprint::simd {

// Instruction sets from the least to the most capable; those of x86-64 first, then those of 64-bit
// ARM. A kernel names the one set that it needs. A processor that has a set may lack earlier ones,
// so each set is detected separately. For example, avx512_bf16 does not imply avx512_vnni.
enum class InstructionSet {
  portable,     // whatever the compiler makes of plain C++
  avx2,         // with FMA and F16C
  avx512,       // F, BW, DQ and VL
  avx512_vnni,  // avx512 and its products of bytes
  avx512_bf16,  // avx512 and its products of bfloat16
  amx_bf16,     // tiles of bfloat16, which only LibTorch's own libraries use
  neon,         // what every 64-bit ARM processor has
  neon_dot,     // neon and its sums of four products of bytes (FEAT_DotProd)
  neon_i8mm,    // neon and its products of 2 by 8 matrices of bytes (FEAT_I8MM)
  neon_bf16,    // neon and its sums of two products of bfloat16 (FEAT_BF16)
};

// Returns the name that options and reports use: "portable", "avx2", "avx512", "avx512-vnni",
// "avx512-bf16", "amx-bf16", "neon", "neon-dot",
// "neon-i8mm" or "neon-bf16".
std::string_view name_of(InstructionSet set);

// Returns true if both the processor and the build have `set`, whatever the limit is.
bool has(InstructionSet set);

// Returns the set that the reference values of golden cases were computed with, or the one most
// like it: avx2, or neon on 64-bit ARM.
InstructionSet reference_set();

// Returns true if has(set) and `set` is not above the limit.
bool may_use(InstructionSet set);

// Limits the kernels that all tables choose: from now on, none needs a set above the named one. For
// example, limit_to("avx2") rules out all AVX-512 kernels. An empty name lifts the limit. Returns
// false and changes nothing if this machine has no set of that name. Do not call it while kernels
// run: a computation could mix kernels whose results differ in the last bits.
bool limit_to(std::string_view name);

}  // namespace fineprint::simd
