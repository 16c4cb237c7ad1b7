// Which vector instructions this machine and this build have, and which of them kernels may use.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fineprint::simd {

// From the least to the most. A kernel names the one that it needs; a processor that has one need
// not have all before it, so each is asked for by itself.
enum class InstructionSet {
  portable,     // whatever the compiler makes of plain C++
  avx2,         // with FMA and F16C
  avx512,       // F, BW, DQ and VL
  avx512_vnni,  // avx512 and its products of bytes
  avx512_bf16,  // avx512 and its products of bfloat16
  amx_bf16,     // tiles of bfloat16, which only LibTorch's own libraries use
};

// "portable", "avx2", "avx512", "avx512-vnni", "avx512-bf16" or "amx-bf16".
std::string_view name_of(InstructionSet set);

// Whether the machine and the build have it, whatever the limit.
bool has(InstructionSet set);

// has(set), and not behind the limit.
bool may_use(InstructionSet set);

// From now on no table chooses a kernel that needs a set behind the named one; an empty name lifts
// the limit. Not to be called while kernels run. false, and nothing changes: this machine has no
// set of that name.
bool limit_to(std::string_view name);

}  // namespace fineprint::simd
